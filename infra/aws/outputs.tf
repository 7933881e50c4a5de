output "urls" {
  description = "Where each deployment answers."
  value       = { for name, function in module.function : name => function.url }
}

output "task_urls" {
  description = "Where tasks find each function: give these back as the variable `urls`."
  value = {
    for function in distinct([for row in local.deployments : row.function]) :
    function => module.function[contains(keys(local.deployments), "${function}-tasks") ? "${function}-tasks" : function].url
  }
}

output "roles" {
  description = "Let these, and nobody else, into the pool of workload identities."
  value       = { for name, function in module.function : name => function.role }
}
