"""When a text says something happens: words of time in English and Chinese, as days and hours."""
