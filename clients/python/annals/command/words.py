"""What the command says, in English and Chinese, by the locale."""

import os

CHINESE = {
    "nothing found": "没有找到",
    "done": "完成",
    "not done": "没有执行",
    "this would": "将会",
    "go on?": "继续吗？",
    "add --yes to do it": "加上 --yes 才会执行",
    "still running; see": "还在进行；查看",
    "running": "正常",
    "ready": "就绪",
    "none": "无",
    "alerts": "告警",
    "key": "密钥",
    "accepted": "有效",
    "refused": "被拒绝",
    "not known": "无法得知",
    "what can be read:": "可以读取的格式：",
    "delete the memory": "删除这条记忆",
    "erase every version of": "彻底抹去所有版本：",
    "forget the whole group": "忘掉整个群",
    "forget the member": "忘掉成员",
    "forget the message": "忘掉消息",
    "delete memories weaker than": "删除强度低于此值的记忆：",
    "messages": "消息",
    "members": "成员",
    "from": "从",
    "to": "到",
    "skipped": "跳过",
    "already stored before": "之前已导入",
    "about": "约",
    "model calls and": "次模型调用，约",
    "prompt tokens for topics, summaries and memories": "提示词 token（话题、摘要、记忆）",
    "dry run: nothing was sent": "试运行：没有发送任何内容",
    "store them in": "导入到",
    "stored": "已存入",
    "why": "原因",
    "left out": "未采用",
    "score": "得分",
    "tokens": "token 数",
    "could not reach": "无法连接",
    "is it running? set ANNALS_URL and ANNALS_KEY": "在运行吗？请设置 ANNALS_URL 与 ANNALS_KEY",
    "kind": "类型",
    "id": "编号",
    "statement": "内容",
    "strength": "强度",
    "status": "状态",
    "version": "版本",
    "title": "标题",
    "last said": "最近发言",
    "time": "时间",
    "text": "内容",
    "state": "状态",
    "error": "错误",
    "records": "记录",
    "taken": "已导入",
    "kept": "已有",
    "contexts with feedback": "有反馈的上下文",
    "offered lines": "提供过的消息",
    "used lines": "用到的消息",
    "threshold": "阈值",
    "suggested": "建议阈值",
    "would be left out": "将不再提供",
    "too few used lines to tell": "用到的消息太少，看不出结论",
    "set the relevance threshold to": "把相关性阈值设为",
    "set the weights to": "把权重设为",
    "nothing to set": "没有可设的",
    "of them fitted / held back": "用于拟合 / 留作检验",
    "held back in order, before": "检验部分排序正确率，现在",
    "held back in order, after": "检验部分排序正确率，拟合后",
    "weights": "权重",
    "verdict": "结论",
    "import the records into": "把记录导入到",
}


def is_chinese() -> bool:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if told := os.environ.get(name):
            return told.lower().startswith("zh")
    return False


def say(text: str) -> str:
    """`text`, or what it is in Chinese where the locale is."""
    return CHINESE.get(text, text) if is_chinese() else text
