"""Words that look like a date and name none: habits, days of every year, fixed names.

Every Monday and Thursday, open Monday to Friday, born on March 14, Black Friday: a date in their
place would say what nobody said.
"""

import re

from shared.language.times.calendar import LOOK_BACK
from shared.language.times.scene import Scene
from shared.language.times.span import TimeExpression

_WEEKDAY_EN = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|weds?|thurs?|thu|fri|sat|sun)"
)
_WEEKDAY_ZH = r"(?:周|星期|礼拜)[一二三四五六日天]"
_PART_EN = r"(?: (?:morning|afternoon|evening|night)s?)?"
_PART_ZH = r"(?:早上|晚上|中午|上午|下午|早|晚)?"
_GLUE_EN = r"(?:,? {1,2}(?:and|or|to|through|&) {1,2}|, {0,2}| ?[-/] ?)"
_GLUE_ZH = r"(?:[、和跟与或到至,，/~-]|以及| ){1,2}"
_STARTS_WITH_WEEKDAY = re.compile(rf"{_WEEKDAY_EN}\b|{_WEEKDAY_ZH}|周末|(?:\w{{2,6}} )?the weekend")
_EVERY = re.compile(
    rf"\b(?:every|each|most|alternate|any)(?: (?:other|single|second|third))? {{1,2}}"
    rf"(?:{_WEEKDAY_EN}{_PART_EN}{_GLUE_EN}){{1,6}}$"
    rf"|每(?:一?个)?(?:{_WEEKDAY_ZH}{_PART_ZH}{_GLUE_ZH}(?:每个?)?){{1,6}}$"
    rf"|每个?月(?:\d{{1,2}}[号日]{_GLUE_ZH}){{1,6}}$|每年的?$|\b(?:every|each) year on (?:the )?$"
    r"|每年的?[^,，。]{0,12}(?:日|号)(?:和|、|到|至)$"
    r"|\b(?:once|twice|times) an? (?:week|fortnight|month),?(?: on)? $"
)
"""Each of a list that begins with "every" is of the habit."""
_LOOK_BACK = 80
"""Characters before the date in which such a list is looked for."""
_USUAL_BEFORE = re.compile(
    r"(?:平时|平常|一般|通常|往常|向来|每到|每逢|每当|固定)(?:都|是|在|到|的)?$"
    r"|\b(?:usually|normally|typically|generally|always|often|used to)\b[^.,;!?]{0,40}$"
)
_USUAL_AFTER = re.compile(
    r"[^,，。;；]{0,3}(?:一般|通常|经常|总是|总会|向来|固定|照例|老是)"
    r"| (?:of|in) (?:each|every)\b"
    r"|[^.,;!?]{0,12}\b(?:usually|normally|typically|generally|always|often)\b"
)
_OPEN_HOURS = re.compile(
    r"营业|开放|开门|上班|办公|坐诊|出诊|接待|值班|双休"
    r"|\b(?:open|opens|opening|closed|closes|hours|works?)\b"
)
_TO_WEEKDAY = re.compile(
    rf"(?:到|至|-|~| to | through | ?- ?){{1}}(?:{_WEEKDAY_ZH}|{_WEEKDAY_EN}\b)"
)
_WEEKDAY_TO = re.compile(rf"(?:{_WEEKDAY_ZH}|\b{_WEEKDAY_EN})(?:到|至|-|~| to | through | ?- ?)$")

_YEARLY_BEFORE = re.compile(
    r"(?:生日|诞辰|纪念日|忌日|生辰|出生)(?:都|就|应该)?(?:是|在|为|于|:|：)? ?(?:阳历|公历|新历)?$"
    r"|\bborn (?:on |in )?(?:the )?$"
    r"|\b(?:birthdays?|bday|b-day|anniversary)(?:'s| is| was| falls?| are)?"
    r" ?(?:on )?[:-]? ?(?:the )?$"
)
_YEARLY_AFTER = re.compile(
    r"(?:出生|生的|生人|(?:是|的)?[^,，。的]{0,6}的?(?:生日|纪念日|忌日)(?![会派聚宴那礼蛋快趴前后]|party|当))"
    r"|(?: is|'s| -)? ?[^.,;!?]{0,24}\b(?:birthday|anniversary)(?! (?:party|dinner|trip|lunch|do))"
)
_NO_MONTH = re.compile(rf"{_WEEKDAY_ZH}|{_WEEKDAY_EN}\b")

_FIXED = re.compile(
    r"(?:black|good|casual|freaky|dress-down|spy) friday|cyber monday|manic monday|"
    r"(?:taco|giving|shrove|fat|pancake|super|ruby) tuesday|(?:ash|spy|humpday|wacky) wednesday|"
    r"(?:maundy|holy|throwback|thirsty) thursday|(?:holy|easter|small business) saturday|"
    r"(?:palm|easter|bloody|super bowl|mothering|remembrance|advent|super) sunday|"
    r"(?:easter|whit|bank holiday) monday|monday morning quarterback|tgi friday'?s|"
    r"(?:man|girl) friday|friday feeling|wednesday addams|born yesterday|tonight show|"
    r"sunday (?:best|roast|times|school|driver)|saturday night (?:live|fever)|friday night lights|"
    r"now or never|yesterday's news|here today,? {0,2}gone tomorrow|no tomorrow\b|"
    r"tomorrow is another day|one of these days|yesterday once more"
    r"|星期五餐厅|(?:三月三|二月二|九月九|七月七)(?![日号十])|周六福|黑色星期[一二三四五]|血色星期天"
)
"""Names and sayings with a day in them."""
_TITLE = re.compile(
    r"\b(?:song|film|movie|album|novel|track|ballad|called|titled) (?:Yesterday|Tomorrow|Today)\b"
)
"""Only the capital tells the song Yesterday from the song of yesterday."""


def fixed_names(plain: str, written: str) -> list[tuple[int, int]]:
    """Where names and sayings stand, by the text in lower case and as it was written."""
    found = [*_FIXED.finditer(plain), *_TITLE.finditer(written)]
    return [one.span() for one in found]


def dated_ones(scene: Scene, found: list[TimeExpression]) -> list[TimeExpression]:
    """Those that name a day of their own."""
    fixed = fixed_names(scene.text, scene.written)
    return [
        one
        for one in found
        if not any(low <= one.start < high for low, high in fixed)
        and not (one.is_partial and (_is_habit(scene, one) or _is_yearly(scene.text, one)))
    ]


def _is_habit(scene: Scene, one: TimeExpression) -> bool:
    text = scene.text
    before = text[max(0, one.start - _LOOK_BACK) : one.start]
    if _EVERY.search(before):
        return True
    if not _STARTS_WITH_WEEKDAY.match(text, one.start):
        return False
    if _USUAL_BEFORE.search(before) or _USUAL_AFTER.match(text, one.end):
        return True
    is_range = _TO_WEEKDAY.match(text, one.end) or _WEEKDAY_TO.search(before)
    if not is_range or not _OPEN_HOURS.search(scene.clause(one.start)):
        return False
    return scene.lean(one.start) != LOOK_BACK


def _is_yearly(text: str, one: TimeExpression) -> bool:
    """Born on March 14, 生日是5月3号: a day of the calendar, of no year that is said."""
    if _NO_MONTH.match(text, one.start):
        return False
    before = text[max(0, one.start - 24) : one.start]
    return bool(_YEARLY_BEFORE.search(before) or _YEARLY_AFTER.match(text, one.end))
