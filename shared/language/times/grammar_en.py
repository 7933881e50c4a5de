"""The English grammar of time: one production for each way to say when.

A production is asked at a place of the text and reads what stands there or nothing. Each looks a
bounded number of characters ahead and none goes back, so a text takes time in proportion to its
length.
"""

from shared.language.times.amounts_en import (
    BASES,
    about_so_long_ago,
    amount_away,
    day_beside,
    in_amount,
    stretch,
)
from shared.language.times.dates_en import days_of_one_month, month_alone
from shared.language.times.months_en import day_alone, relative_month_then_day
from shared.language.times.named_en import period, same_day_of_period, the_weekend, vague_word
from shared.language.times.periods_en import Production
from shared.language.times.seasons_en import feast, season
from shared.language.times.weekdays_en import counted_weekdays

PRODUCTIONS: tuple[Production, ...] = (
    *BASES, days_of_one_month, month_alone, relative_month_then_day, day_alone, counted_weekdays,
    about_so_long_ago, amount_away,
    day_beside, in_amount, stretch, same_day_of_period, period, the_weekend, season, feast,
    vague_word,
)  # fmt: skip
