"""What models cost, as the API shows it."""

from shared.contracts.api import ListAnswer
from shared.domain.usage import DayUsage


class UsageList(ListAnswer):
    usage: list[DayUsage]
