"""Natural chats written from life, several matters at once, with questions and what answers them.

The first two were worked on; `3_*` and `4_*` were held back until the last run of the work on
recall. A line is `HH:MM thread Name: text`, `#1` at its end says that it answers question 1;
`? Name #1: text` is asked right after the line above it. `== DATE` begins a day.
"""
