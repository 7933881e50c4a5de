"""Names of Chinese reigns, each with the year of our calendar that was its first.

The years of reigns still said today: those people name when they speak of history, and the
Republic's, by which Taiwan counts.
"""

FIRST_YEARS = {
    "建元": -139, "贞观": 627, "永徽": 650, "神龙": 705, "景龙": 707, "开元": 713, "天宝": 742,
    "贞元": 785, "元和": 806, "建隆": 960, "景德": 1004, "庆历": 1041, "嘉祐": 1056, "熙宁": 1068,
    "元丰": 1078, "元祐": 1086, "崇宁": 1102, "政和": 1111, "宣和": 1119, "靖康": 1126,
    "建炎": 1127, "绍兴": 1131, "乾道": 1165, "淳熙": 1174, "至元": 1264, "洪武": 1368,
    "建文": 1399, "永乐": 1403, "洪熙": 1425, "宣德": 1426, "正统": 1436, "景泰": 1450,
    "天顺": 1457, "成化": 1465, "弘治": 1488, "正德": 1506, "嘉靖": 1522, "隆庆": 1567,
    "万历": 1573, "泰昌": 1620, "天启": 1621, "崇祯": 1628, "天聪": 1627, "崇德": 1636,
    "顺治": 1644, "康熙": 1662, "雍正": 1723, "乾隆": 1736, "嘉庆": 1796, "道光": 1821,
    "咸丰": 1851, "同治": 1862, "光绪": 1875, "宣统": 1909, "民国": 1912,
}  # fmt: skip
REPUBLIC = "民国"
"""It counts years from 1912, but months and days as we do; the reigns counted moons."""
ERA = "|".join(FIRST_YEARS)
LONGEST_REIGN = 120
"""No reign lasted longer than 61 years; the Republic's count has passed a hundred."""


def year_of_era(era: str, nth: int) -> int | None:
    """The year of our calendar; None before its first year."""
    year = FIRST_YEARS[era] + nth - 1
    return year if year > 0 and nth <= LONGEST_REIGN else None
