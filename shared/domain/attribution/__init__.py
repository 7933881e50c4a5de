"""Attribution: which topic each message belongs to. Pure: ids are derived, time is an argument.

`propose` gives each message a topic or a question, `settle` takes the answers, `grow` says what
the topics are then. A run that is repeated finds the same topics.
"""
