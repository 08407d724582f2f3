"""Flags of other programs, with mteval's equivalents for error messages."""

from __future__ import annotations

LANGUAGE = (
    "is sacreBLEU's language pair; here, the target language chooses the tokenizer: --lang ja"
)

SACREBLEU = {
    "-t": "names a test set in sacreBLEU, and the translations in COMET; here, pass files: "
    "mteval score REF... -i SYS...",
    "--test-set": "is sacreBLEU's; mteval has no test sets: pass the reference files, mteval score "
    "REF... -i SYS...",
    "-l": LANGUAGE,
    "--language-pair": LANGUAGE,
    "-ol": "is sacreBLEU's; select the segments before scoring",
    "--origlang": "is sacreBLEU's; select the segments before scoring",
    "--subset": "is sacreBLEU's; select the segments before scoring",
    "--download": "is sacreBLEU's; mteval has no test sets: 'sacrebleu -t NAME --echo ref' writes "
    "references to a file",
    "--echo": "is sacreBLEU's; mteval has no test sets: 'sacrebleu -t NAME --echo ref' writes "
    "references to a file",
    "--list": "is sacreBLEU's; type: mteval list",
    "--cite": "is sacreBLEU's; the documentation of each metric names its paper",
    "--citation": "is sacreBLEU's; the documentation of each metric names its paper",
    "-V": "is sacreBLEU's; type: mteval --version",
    "--version": "precedes the command; type: mteval --version",
    "-nr": "is sacreBLEU's; write a file for each reference: mteval score REF REF... -i SYS",
    "--num-refs": "is sacreBLEU's; write a file for each reference: mteval score REF REF... -i SYS",
    "-e": "is sacreBLEU's; mteval reads UTF-8: convert the files, for instance with iconv",
    "--encoding": "is sacreBLEU's; mteval reads UTF-8: convert the files, for instance with iconv",
    "--sentence-level": "is sacreBLEU's; type: -sl",
    "-s": "is the smoothing method in sacreBLEU, type: -m bleu:smooth=exp; it is the source in "
    "COMET, and no metric here reads it",
    "--smooth-method": "is sacreBLEU's; type: -m bleu:smooth=exp (or none, floor[0.1], add-k[1])",
    "-sv": "is sacreBLEU's; type: -m bleu:smooth=floor[0.1] or bleu:smooth=add-k[1]",
    "--smooth-value": "is sacreBLEU's; type: -m bleu:smooth=floor[0.1] or bleu:smooth=add-k[1]",
    "--lowercase": "is sacreBLEU's; type: -lc",
    "--force": "is sacreBLEU's; mteval never refuses tokenized text: leave it out",
    "-cc": "is sacreBLEU's; type: -m chrf:nc=6",
    "--chrf-char-order": "is sacreBLEU's; type: -m chrf:nc=6",
    "-cw": "is sacreBLEU's; type: -m chrf:nw=2",
    "--chrf-word-order": "is sacreBLEU's; type: -m chrf:nw=2",
    "--chrf-beta": "is sacreBLEU's; type: -m chrf:beta=2",
    "--chrf-whitespace": "is sacreBLEU's; type: -m chrf:space=yes",
    "--chrf-lowercase": "is sacreBLEU's; type: -m chrf:case=lc",
    "--chrf-eps-smoothing": "is sacreBLEU's; type: -m chrf:eff=no",
    "--ter-case-sensitive": "is sacreBLEU's; type: -m ter:case=mixed",
    "--ter-asian-support": "is sacreBLEU's; type: -m ter:asian=yes",
    "--ter-no-punct": "is sacreBLEU's; type: -m ter:punct=no",
    "--ter-normalized": "is sacreBLEU's; type: -m ter:norm=yes",
    "-parn": "is sacreBLEU's; type: -par --trials N",
    "--paired-ar-n": "is sacreBLEU's; type: -par --trials N",
    "-pbsn": "is sacreBLEU's; type: -pbs --trials N",
    "--paired-bs-n": "is sacreBLEU's; type: -pbs --trials N",
    "-j": "is sacreBLEU's; mteval uses all processors: leave it out",
    "--paired-jobs": "is sacreBLEU's; mteval uses all processors: leave it out",
    "-sh": "is sacreBLEU's; signatures have one form here: leave it out",
    "--short": "is sacreBLEU's; signatures have one form here: leave it out",
    "-d": "is sacreBLEU's detail and COMET's test set; type: --level doc --docs FILE, or -sl",
    "--detail": "is sacreBLEU's; type: --level doc --docs FILE, or -sl",
    "-nc": "is sacreBLEU's; mteval prints no colours: leave it out",
    "--no-color": "is sacreBLEU's; mteval prints no colours: leave it out",
}

ROUGE_SCORE = {
    "--target_filepattern": "is rouge-score's; type: mteval score REF...",
    "--prediction_filepattern": "is rouge-score's; type: -i SYS...",
    "--output_filename": "is rouge-score's; type: -o FILE.csv",
    "--delimiter": "is rouge-score's; write one segment per line",
    "--rouge_types": "is rouge-score's; type: -m rouge-n:n=1,tok=rouge,case=ascii or "
    "rouge-l:tok=rouge,case=ascii",
    "--use_stemmer": "is rouge-score's; type: --stem porter",
    "--aggregate": "is rouge-score's; type: -ci for the mean with an interval, or -sl for each "
    "segment",
    "--split_summaries": "is rouge-score's; separate the sentences by tabs and type: -m "
    "rouge-lsum:tok=rouge,case=ascii",
}

COMET = {
    "--sources": "is COMET's; no metric here reads the source: leave it out",
    "--translations": "is COMET's; type: -i SYS...",
    "--references": "is COMET's; type: -r REF...",
    "--model": "is COMET's; mteval has no neural metrics: leave it out, and name metrics with -m",
    "--sacrebleu_dataset": "is COMET's; pass files: mteval score REF... -i SYS...",
    "--batch_size": "is COMET's; mteval has no neural metrics: leave it out",
    "--gpus": "is COMET's; mteval uses no GPU: leave it out",
    "--num_workers": "is COMET's; mteval uses all processors: leave it out",
    "--model_storage_path": "is COMET's; mteval has no neural metrics: leave it out",
    "--disable_cache": "is COMET's; mteval keeps no cache: leave it out",
    "--disable_length_batching": "is COMET's; mteval has no neural metrics: leave it out",
    "--print_cache_info": "is COMET's; mteval keeps no cache: leave it out",
    "--only_system": "is COMET's; scores of the corpus are the default here: leave it out",
    "--to_json": "is COMET's; type: -o FILE.json",
}

JIWER = {
    "--reference": "is jiwer's; type: -r REF...",
    "--hypothesis": "is jiwer's; type: -i SYS...",
    "-c": "is jiwer's; type: -m wer:tok=char-space",
    "--cer": "is jiwer's; type: -m wer:tok=char-space",
    "-a": "is jiwer's; mteval prints no alignments; -sl prints the score of each segment",
    "--align": "is jiwer's; mteval prints no alignments; -sl prints the score of each segment",
    "-g": "is jiwer's; write one segment per line",
    "--global": "is jiwer's; write one segment per line",
    "--global_alignment": "is jiwer's; write one segment per line",
}

ANSWERS = {**SACREBLEU, **ROUGE_SCORE, **COMET, **JIWER}
"""What an unknown flag is, and what to type, as the rest of a sentence."""
