"""The API says what the library says, whatever form a text is sent in."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cli_tools import files
from serve_tools import client, client_of, client_of_counts, counts, documents, model, texts
from termfold import top_terms
from termfold.classify.explain import explain, explain_class
from termfold.scores import SCORE_NAMES, score_classes

PLAIN = {"content-type": "text/plain"}


# -- texts ------------------------------------------------------------------------------------


def test_a_text_is_labelled_as_by_the_model():
    for text in texts(20):
        found = client().post("/api/classify?top=12", json={"text": text}).json()
        scores = model().scores([text])
        chances = dict(zip(model().classes, model().probabilities(scores)[0], strict=True))
        assert found["predicted"] == [model().classes[scores.argmax()]]
        assert found["classes"][0]["name"] == found["predicted"][0]
        for row in found["classes"]:
            assert row["probability"] == chances[row["name"]]


def test_the_body_may_be_the_text_itself():
    text = texts(1)[0] + " zwölf Boxkämpfer 分类"
    found = [
        client().post("/api/classify", json={"text": text}),
        client().post("/api/classify", content=text.encode(), headers=PLAIN),
        client().post("/api/classify", content=json.dumps({"text": text}).encode()),
    ]
    assert len({answer.text for answer in found}) == 1


def test_a_long_text_is_labelled_in_a_thread_to_the_same_end():
    text = " ".join(texts(50) * 3)
    assert len(text) > 16_384
    found = client().post("/api/classify", json={"text": text}).json()
    assert found["predicted"] == [model().classes[model().scores([text]).argmax()]]


def test_many_texts_give_columns_whatever_form_they_are_sent_in():
    many = [" ".join(text.split()) for text in texts()]
    lines = "\n".join(many).encode()
    objects = "\n".join(json.dumps({"text": text, "id": 1}) for text in many).encode()
    json_lines = {"content-type": "application/x-ndjson; charset=UTF-8"}
    answers = [
        client().post("/api/classify/many", json={"texts": many}),
        client().post("/api/classify/many", content=lines, headers=PLAIN),
        client().post("/api/classify/many", content=lines + b"\n", headers=PLAIN),
        client().post("/api/classify/many", content=lines.replace(b"\n", b"\r\n"), headers=PLAIN),
        client().post("/api/classify/many", content=objects, headers=json_lines),
    ]
    assert len({answer.text for answer in answers}) == 1
    found = answers[0].json()
    scores = model().scores(many)
    assert found["texts"] == len(many)
    assert found["predicted"] == [model().classes[k] for k in scores.argmax(axis=1)]
    np.testing.assert_allclose(
        found["probability"], model().probabilities(scores).max(axis=1), rtol=1e-6
    )


def test_many_texts_with_all_probabilities():
    many = texts(7)
    found = client().post("/api/classify/many?probabilities=true", json={"texts": many}).json()
    assert found["classes"] == model().classes
    wanted = model().probabilities(model().scores(many))
    np.testing.assert_allclose(found["probabilities"], wanted, rtol=1e-6)


@pytest.mark.parametrize("body", [b'{"texts": []}', b""])
def test_no_texts_give_no_labels(body):
    headers = PLAIN if not body else {}
    answer = client().post("/api/classify/many", content=body, headers=headers)
    assert answer.json() == {"texts": 0, "predicted": [], "probability": []}


def test_a_text_may_have_several_labels():
    several = client_of(files().tags_model)
    text = max(texts(), key=len)
    one = several.post("/api/classify", json={"text": text}).json()["predicted"]
    many = several.post("/api/classify/many", json={"texts": [text, ""]}).json()
    assert "long" in one
    assert many["predicted"][0] == sorted(one)
    assert "probability" not in many


def test_an_explanation_adds_up_and_its_pieces_are_the_text():
    text = "Ünïted 分类 \U0001f600 a game\r\nof tetris, a game"
    found = client().post("/api/explain?class=games", json={"text": text}).json()
    wanted = explain(model(), text)
    assert found["predicted"] == list(wanted.predicted)
    assert [(row["term"], row["value"]) for row in found["terms"]] == [
        (part.term, part.value) for part in wanted.contributions("games")
    ]
    score = {row["name"]: row["score"] for row in found["classes"]}["games"]
    total = found["bias"] + sum(row["value"] for row in found["terms"]) + found["rest"]["value"]
    assert total == pytest.approx(score, abs=1e-4)
    assert found["whole"]
    [pieces] = found["passages"]
    assert "".join(piece for piece, _ in pieces) == text
    assert {piece for piece, value in pieces if value} >= {"game", "of"}


def test_of_a_long_text_passages_are_explained():
    text = "nothing at all " * 3000 + "tetris game " + "nothing at all " * 3000
    found = client().post("/api/explain?class=games&top=1", json={"text": text}).json()
    assert not found["whole"]
    assert found["rest"]["terms"] > 0
    assert any(piece == "game" and value for part in found["passages"] for piece, value in part)


# -- terms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["chi2", "chi2_tf", "log_rr", "ig"])
def test_terms_are_those_of_the_library(score):
    found = client_of_counts().get("/api/terms", params={"score": score, "n": 7}).json()
    wanted = top_terms(counts(), score, 7)
    rows = [
        (of["name"], term["term"], term["score"], term["class_documents"], term["documents"])
        for of in found["classes"]
        for term in of["terms"]
    ]
    assert rows == [(r.class_name, r.term, r.score, r.class_docs, r.docs) for r in wanted]


def test_terms_in_few_documents_can_be_left_out():
    found = client_of_counts().get("/api/terms?score=or&min_df=9&class=games&n=50").json()
    [games] = found["classes"]
    wanted = top_terms(counts().prune(min_df=9), "or", 50, classes=["games"])
    assert [term["term"] for term in games["terms"]] == [row.term for row in wanted]


def test_fewer_features_are_the_best_of_all_classes():
    everything = score_classes(counts(), "chi2").max(axis=0)
    best = set(np.argsort(-everything, kind="stable")[:20].tolist())
    found = client_of_counts().get("/api/terms?features=20&n=20").json()
    assert found["features"] == 20
    shown = {counts().terms.position(t["term"]) for of in found["classes"] for t in of["terms"]}
    assert shown == best


def test_the_terms_of_a_model_are_ranked_by_their_lead():
    alone = client_of(files().model)
    assert alone.get("/api/about").json()["scores"] == ["lead"]
    found = alone.get("/api/terms?n=5&class=games").json()["classes"][0]["terms"]
    wanted = explain_class(model(), "games", 5).terms
    assert [row["term"] for row in found] == [row.term for row in wanted]
    np.testing.assert_allclose([row["score"] for row in found], [row.value for row in wanted])


def test_a_term_has_its_counts_and_every_score_in_every_class():
    found = client_of_counts().get("/api/term", params={"term": "game"}).json()
    t = counts().terms.position("game")
    assert (found["documents"], found["occurrences"]) == (
        counts().term_df[t],
        counts().term_tf[t],
    )
    for table, name in (("df", "documents"), ("tf", "occurrences")):
        assert [row[name] for row in found["classes"]] == counts().dense(table, t, t + 1)[
            :, 0
        ].tolist()
    for score in SCORE_NAMES:
        of_all = score_classes(counts(), score)[:, t].tolist()
        assert [row["scores"][score] for row in found["classes"]] == of_all, score


def test_a_term_has_examples_that_hold_it():
    found = client().get("/api/term?term=game").json()
    assert len(found["examples"]) == 4
    for example in found["examples"]:
        text = documents().texts[example["row"]].as_py()
        assert example["labels"] == [documents().labels[example["row"]]]
        pieces = [piece for passage in example["passages"] for piece in passage]
        assert any(piece.lower() == "game" for piece, is_term in pieces if is_term)
        assert all(piece in text for piece, _ in pieces)
    weights = [row["weight"] for row in found["classes"]]
    assert np.argmax(weights) == model().classes.index("games")


def test_search_finds_the_term_itself_first():
    found = client_of_counts().get("/api/search?q=GAME&n=5").json()["terms"]
    assert found[0]["term"] == "game"
    assert all("game" in row["term"] for row in found)
    assert client_of_counts().get("/api/search?q=qqqqq").json() == {"terms": []}


def test_two_classes_are_compared_by_their_shares_of_documents():
    found = client_of_counts().get("/api/compare?x=games&y=fonts&n=30").json()
    assert found["axis"] == "rate"
    names = counts().classes.tolist()
    for point in found["points"]:
        df = counts().dense("df")[:, counts().terms.position(point["term"])]
        for axis, name in (("x", "games"), ("y", "fonts")):
            k = names.index(name)
            assert point[axis] == df[k] / counts().class_docs[k]


def test_a_model_alone_compares_weights():
    found = client_of(files().model).get("/api/compare?x=games&y=fonts&n=30").json()
    assert found["axis"] == "weight"
    game = next(point for point in found["points"] if point["term"] == "game")
    assert game["x"] > game["y"]


def test_counts_alone_label_texts_too():
    about = client_of_counts().get("/api/about").json()
    assert about["kind"] == "counts"
    assert about["can"] == {
        "classify": True, "probabilities": False, "counts": True, "examples": False, "curve": False,
    }  # fmt: skip
    found = client_of_counts().post("/api/classify", json={"text": "a game of tetris"}).json()
    assert found["predicted"] == ["games"]
    assert client_of_counts().get("/api/curve").json()["status"] == "unavailable"


def test_an_updatable_model_has_counts_of_its_own():
    about = client_of(files().updatable).get("/api/about").json()
    assert about["can"]["counts"]
    assert about["documents"] == 900


def test_classes_have_their_sizes():
    found = client_of_counts().get("/api/classes").json()["classes"]
    assert [row["documents"] for row in found] == counts().class_docs.tolist()
    assert [row["occurrences"] for row in found] == counts().class_tokens.tolist()
    alone = client_of(files().model).get("/api/classes").json()["classes"]
    assert [row["documents"] for row in alone] == counts().class_docs.tolist()


# -- threads ----------------------------------------------------------------------------------


def test_many_threads_get_the_answers_that_one_gets():
    def ask(text: str) -> list[str]:
        asked = client()
        return [
            asked.post("/api/classify", json={"text": text}).text,
            asked.post("/api/explain", json={"text": text}).text,
            asked.get("/api/terms", params={"score": SCORE_NAMES[len(text) % 18], "n": 3}).text,
        ]

    some = texts(32)
    alone = [ask(text) for text in some]
    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(ask, some)) == alone
