"""The papers that describe BERTScore and COMET, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

BERTSCORE = """
@inproceedings{zhang-etal-2020-bertscore,
  author = {Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi,
    Yoav},
  title = {{BERTS}core: Evaluating Text Generation with {BERT}},
  booktitle = {International Conference on Learning Representations},
  year = {2020},
}
"""

COMET = """
@inproceedings{rei-etal-2020-comet,
  author = {Rei, Ricardo and Stewart, Craig and Farinha, Ana C and Lavie, Alon},
  title = {{COMET}: A Neural Framework for {MT} Evaluation},
  booktitle = {Proceedings of the 2020 Conference on Empirical Methods in Natural Language
    Processing},
  year = {2020},
  pages = {2685--2702},
  doi = {10.18653/v1/2020.emnlp-main.213},
}
"""

COMET_22 = r"""
@inproceedings{rei-etal-2022-comet,
  author = {Rei, Ricardo and C. de Souza, Jos{\'e} G. and Alves, Duarte and Zerva, Chrysoula and
    Farinha, Ana C and Glushkova, Taisiya and Lavie, Alon and Coheur, Luisa and Martins,
    Andr{\'e} F. T.},
  title = {{COMET}-22: Unbabel-{IST} 2022 Submission for the Metrics Shared Task},
  booktitle = {Proceedings of the Seventh Conference on Machine Translation},
  year = {2022},
  address = {Abu Dhabi, United Arab Emirates},
  pages = {578--585},
  url = {https://aclanthology.org/2022.wmt-1.52/},
}
"""

COMETKIWI = r"""
@inproceedings{rei-etal-2022-cometkiwi,
  author = {Rei, Ricardo and Treviso, Marcos and Guerreiro, Nuno M. and Zerva, Chrysoula and
    Farinha, Ana C and Maroti, Christine and C. de Souza, Jos{\'e} G. and Glushkova, Taisiya
    and Alves, Duarte and Coheur, Luisa and Lavie, Alon and Martins, Andr{\'e} F. T.},
  title = {{C}omet{K}iwi: {IST}-Unbabel 2022 Submission for the Quality Estimation Shared Task},
  booktitle = {Proceedings of the Seventh Conference on Machine Translation},
  year = {2022},
  address = {Abu Dhabi, United Arab Emirates},
  pages = {634--645},
  url = {https://aclanthology.org/2022.wmt-1.60/},
}
"""


def of_bertscore(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """BERTScore."""
    return (BERTSCORE,)


def of_comet(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """COMET, and the submission with the default model."""
    return COMET, COMET_22


def of_comet_qe(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """COMET, and the submission with the default model without references."""
    return COMET, COMETKIWI
