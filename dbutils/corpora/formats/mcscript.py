"""MCScript 2.0: XML, questions with two answers each."""

import xml.etree.ElementTree as xml

from dbutils.corpora.formats.choices import Question
from dbutils.errors import InputError


def read(path):
    """The questions of a file."""
    try:
        tree = xml.parse(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except xml.ParseError as error:
        raise InputError(f"{path}:{error.position[0]}: not XML ({error})") from None
    for instance in tree.getroot():
        story, passage = instance.attrib.get("id", ""), instance.findtext("text", "")
        for item in instance.iterfind("questions/question"):
            answers = item.findall("answer")
            choices = tuple(answer.attrib.get("text", "") for answer in answers)
            right = tuple(i for i, answer in enumerate(answers) if answer.attrib.get("correct") == "True")
            id = f"{story}#{item.attrib.get('id', '')}"
            yield Question(id, story, passage, item.attrib.get("text", ""), choices, right)
