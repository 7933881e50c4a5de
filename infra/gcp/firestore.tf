resource "google_firestore_database" "this" {
  name                              = local.prefix
  location_id                       = var.firestore_location
  type                              = "FIRESTORE_NATIVE"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  delete_protection_state           = "DELETE_PROTECTION_ENABLED"
  depends_on                        = [google_project_service.api]
}

resource "google_firestore_backup_schedule" "daily" {
  database  = google_firestore_database.this.name
  retention = "604800s" # a week
  daily_recurrence {}
}

resource "google_firestore_index" "composite" {
  for_each = {
    for index in local.tables.indexes :
    join(" ", concat([index.collectionGroup, index.queryScope], [for field in index.fields : "${field.fieldPath}:${try(field.order, field.arrayConfig)}"])) => index
  }
  database    = google_firestore_database.this.name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

resource "google_firestore_field" "override" {
  for_each = {
    for field in local.tables.field_overrides : "${field.collectionGroup} ${field.fieldPath}" => field
  }
  database   = google_firestore_database.this.name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  # An empty block exempts the field from every index.
  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        query_scope  = try(indexes.value.queryScope, "COLLECTION")
        order        = try(indexes.value.order, null)
        array_config = try(indexes.value.arrayConfig, null)
      }
    }
  }

  dynamic "ttl_config" {
    for_each = try(each.value.ttl, false) ? [1] : []
    content {}
  }
}
