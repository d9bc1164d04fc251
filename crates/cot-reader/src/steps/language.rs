//! The words that begin steps and conclusions, by language.

use std::sync::LazyLock;

/// The words of one language. Words match in any case, and only as whole words.
pub(super) struct Language {
    /// The words before and after the number of a step: `("Step", "")` for `Step 1:`.
    pub(super) steps: &'static [(&'static str, &'static str)],
    /// The nouns for a conclusion. They need no colon in a heading, in bold, or alone on a line.
    pub(super) answers: &'static [&'static str],
    /// The adverbs and conjunctions that introduce a conclusion.
    pub(super) connectives: &'static [&'static str],
}

/// The words that begin a conclusion without a colon if the text has no clearer marker.
pub(super) const WITHOUT_COLON: [&str; 8] =
    ["conclusion", "answer", "therefore", "final answer", "in conclusion", "thus", "hence", "so"];

/// The words of all languages. The order is irrelevant, also for words that are prefixes of others.
pub(super) const LANGUAGES: [Language; 26] = [
    // English
    Language {
        steps: &[("step", "")],
        answers: &[
            "conclusion",
            "answer",
            "final answer",
            "final conclusion",
            "the answer",
            "the final answer",
            "my answer",
            "my final answer",
        ],
        connectives: &["therefore", "in conclusion", "thus", "hence", "so"],
    },
    // German
    Language {
        steps: &[("schritt", "")],
        answers: &[
            "fazit",
            "antwort",
            "schlussfolgerung",
            "schluss",
            "endergebnis",
            "endgültige antwort",
            "abschließende antwort",
            "finale antwort",
        ],
        connectives: &["daher", "folglich", "somit", "deshalb", "zusammenfassend"],
    },
    // French
    Language {
        steps: &[("étape", ""), ("etape", "")],
        answers: &[
            "réponse",
            "reponse",
            "réponse finale",
            "reponse finale",
            "la réponse",
            "résultat final",
            "conclusion finale",
            "en conclusion",
        ],
        connectives: &["donc", "ainsi", "par conséquent"],
    },
    // Spanish
    Language {
        steps: &[("paso", "")],
        answers: &["conclusión", "respuesta", "respuesta final", "la respuesta", "en conclusión"],
        connectives: &["por lo tanto", "por tanto", "así que", "entonces", "en consecuencia"],
    },
    // Portuguese; Italian has the same word for a step
    Language {
        steps: &[("passo", ""), ("etapa", "")],
        answers: &["conclusão", "resposta", "resposta final", "em conclusão"],
        connectives: &["portanto", "assim", "então"],
    },
    // Italian
    Language {
        steps: &[("passaggio", ""), ("fase", "")],
        answers: &["conclusione", "risposta", "risposta finale", "in conclusione"],
        connectives: &["quindi", "pertanto", "dunque", "perciò"],
    },
    // Dutch
    Language {
        steps: &[("stap", "")],
        answers: &["conclusie", "antwoord", "eindantwoord", "definitief antwoord"],
        connectives: &["dus", "daarom"],
    },
    // Swedish, Danish and Norwegian
    Language {
        steps: &[("steg", ""), ("trin", ""), ("trinn", "")],
        answers: &[
            "slutsats",
            "svar",
            "slutgiltigt svar",
            "konklusion",
            "konklusjon",
            "endelig svar",
        ],
        connectives: &["alltså", "därför", "derfor", "altså"],
    },
    // Finnish
    Language {
        steps: &[("vaihe", "")],
        answers: &["johtopäätös", "vastaus", "lopullinen vastaus"],
        connectives: &["siis", "näin ollen"],
    },
    // Polish
    Language {
        steps: &[("krok", "")],
        answers: &["wniosek", "odpowiedź", "ostateczna odpowiedź"],
        connectives: &["zatem", "dlatego", "więc"],
    },
    // Czech and Slovak; the word for a step is that of Polish
    Language {
        steps: &[],
        answers: &["závěr", "odpověď", "konečná odpověď", "záver", "odpoveď"],
        connectives: &["tedy", "teda"],
    },
    // Hungarian
    Language {
        steps: &[("lépés", "")],
        answers: &["következtetés", "válasz", "végső válasz"],
        connectives: &["tehát", "ezért"],
    },
    // Romanian
    Language {
        steps: &[("pasul", "")],
        answers: &["concluzie", "răspuns", "răspuns final", "răspunsul final"],
        connectives: &["deci", "prin urmare", "așadar"],
    },
    // Russian
    Language {
        steps: &[("шаг", ""), ("этап", "")],
        answers: &["вывод", "заключение", "ответ", "итог", "итоговый ответ", "окончательный ответ"],
        connectives: &["следовательно", "поэтому", "итак", "таким образом"],
    },
    // Ukrainian
    Language {
        steps: &[("крок", "")],
        answers: &["висновок", "відповідь", "остаточна відповідь", "підсумок"],
        connectives: &["отже", "тому", "таким чином"],
    },
    // Greek
    Language {
        steps: &[("βήμα", "")],
        answers: &["συμπέρασμα", "απάντηση", "τελική απάντηση"],
        connectives: &["επομένως", "άρα", "συνεπώς"],
    },
    // Turkish
    Language {
        steps: &[("adım", "")],
        answers: &["sonuç", "cevap", "yanıt", "nihai cevap", "son cevap", "nihai yanıt"],
        connectives: &["bu nedenle", "dolayısıyla", "o halde"],
    },
    // Arabic
    Language {
        steps: &[("الخطوة", ""), ("خطوة", "")],
        answers: &["الخلاصة", "الاستنتاج", "الجواب", "الإجابة", "الإجابة النهائية", "الجواب النهائي"],
        connectives: &["لذلك", "إذن", "وبالتالي", "بالتالي"],
    },
    // Persian
    Language {
        steps: &[("گام", ""), ("مرحله", "")],
        answers: &["نتیجه‌گیری", "نتیجه گیری", "نتیجه", "پاسخ", "پاسخ نهایی", "جواب"],
        connectives: &["بنابراین", "پس"],
    },
    // Hebrew
    Language {
        steps: &[("שלב", ""), ("צעד", "")],
        answers: &["מסקנה", "תשובה", "תשובה סופית", "התשובה"],
        connectives: &["לכן", "לפיכך"],
    },
    // Hindi
    Language {
        steps: &[("चरण", ""), ("कदम", "")],
        answers: &["निष्कर्ष", "उत्तर", "अंतिम उत्तर"],
        connectives: &["इसलिए", "अतः"],
    },
    // Vietnamese, Indonesian and Malay
    Language {
        steps: &[("bước", ""), ("langkah", "")],
        answers: &[
            "kết luận",
            "đáp án",
            "câu trả lời",
            "trả lời",
            "kesimpulan",
            "jawaban",
            "jawaban akhir",
            "jawapan",
        ],
        connectives: &["vậy", "do đó", "vì vậy", "jadi", "oleh karena itu"],
    },
    // Thai
    Language {
        steps: &[("ขั้นตอนที่", ""), ("ขั้นที่", ""), ("ขั้นตอน", "")],
        answers: &["สรุป", "คำตอบ", "คำตอบสุดท้าย", "ข้อสรุป"],
        connectives: &["ดังนั้น"],
    },
    // Chinese
    Language {
        steps: &[("步骤", ""), ("步驟", ""), ("第", "步")],
        answers: &[
            "结论",
            "結論",
            "最终结论",
            "答案",
            "最终答案",
            "最終答案",
            "回答",
            "最终回答",
            "答",
            "总结",
            "總結",
        ],
        connectives: &["因此", "所以", "综上所述", "綜上所述", "综上", "故"],
    },
    // Japanese
    Language {
        steps: &[("ステップ", ""), ("手順", ""), ("第", "ステップ"), ("第", "歩"), ("", "つ目")],
        answers: &[
            "最終結論",
            "答え",
            "解答",
            "最終回答",
            "最終解答",
            "最終的な答え",
            "最終的な回答",
            "まとめ",
        ],
        connectives: &["したがって", "従って", "よって", "ゆえに"],
    },
    // Korean
    Language {
        steps: &[("단계", ""), ("스텝", ""), ("", "단계"), ("제", "단계")],
        answers: &["결론", "답", "정답", "답변", "최종 답", "최종 답변", "최종 답안", "최종 정답"],
        connectives: &["따라서", "그러므로"],
    },
];

/// The function of a word.
#[derive(Clone, Copy)]
pub(super) enum WordRole {
    /// The word precedes the number of a step, which must be followed by this text.
    Step(&'static str),
    Answer,
    Connective,
}

/// A word with its first letters, for lookup.
#[derive(Clone, Copy)]
struct IndexedWord {
    first: char,
    /// `None` for a word of one letter.
    second: Option<char>,
    text: &'static str,
    role: WordRole,
}

/// The words of all languages, sorted by first letter and descending length.
struct Index {
    words: Vec<IndexedWord>,
    /// The start index of the words of each ASCII letter, and at the end that of all other words.
    ascii: [usize; 129],
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut words: Vec<IndexedWord> = LANGUAGES.iter().flat_map(Language::words).collect();
    words.sort_by_key(|word| (word.first, std::cmp::Reverse(word.text.len())));
    let begin = |letter: usize| words.partition_point(|word| (word.first as usize) < letter);
    Index { ascii: std::array::from_fn(begin), words }
});

/// Returns the words that begin with the same two letters as a text, ignoring case.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = (&'static str, WordRole)> {
    let index = &*INDEX;
    let mut letters = text.chars().map(lower);
    let first = letters.next().unwrap_or_default();
    let second = letters.next();
    let (from, end) = match index.ascii.get(first as usize..first as usize + 2) {
        Some(&[from, end]) => (from, end),
        _ => (index.words.partition_point(|word| word.first < first), index.words.len()),
    };
    let words = index.words.get(from..end).unwrap_or_default().iter();
    let words = words.take_while(move |word| word.first == first);
    let words = words.filter(move |word| word.second.is_none() || word.second == second);
    words.map(|word| (word.text, word.role))
}

fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

/// Returns the words that follow a step number without a word before it.
pub(super) fn words_after_numbers() -> impl Iterator<Item = &'static str> {
    let steps = LANGUAGES.iter().flat_map(|language| language.steps);
    steps.filter(|(before, _)| before.is_empty()).map(|(_, after)| *after)
}

impl Language {
    fn words(&self) -> impl Iterator<Item = IndexedWord> {
        let steps = self.steps.iter().map(|(before, after)| (*before, WordRole::Step(after)));
        let answers = self.answers.iter().map(|word| (*word, WordRole::Answer));
        let connectives = self.connectives.iter().map(|word| (*word, WordRole::Connective));
        let words = steps.chain(answers).chain(connectives);
        words.filter_map(|(text, role)| {
            let mut letters = text.chars();
            Some(IndexedWord { first: letters.next()?, second: letters.next(), text, role })
        })
    }
}

/// Returns the text after a word at its start, ignoring case.
pub(super) fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    if word.is_ascii() {
        let (start, rest) = text.split_at_checked(word.len())?;
        return start.eq_ignore_ascii_case(word).then_some(rest);
    }
    let mut chars = text.chars();
    for letter in word.chars() {
        let found = chars.next()?;
        if found != letter && !found.to_lowercase().eq([letter]) {
            return None;
        }
    }
    Some(chars.as_str())
}

/// Returns whether a character continues a word: a letter, digit, `_` or combining mark.
pub(super) fn continues_word(c: char) -> bool {
    regex_syntax::try_is_word_character(c).unwrap_or_else(|_| c.is_alphanumeric())
}
