"""The vocabulary: ids of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Vocabulary"]


class Vocabulary:
    """The ids of tokens: 0, 1, 2, ... in order of first occurrence.

    Ids are int32. Looking up or adding a token takes constant time. Fill a vocabulary from one
    thread at a time; with several, the ids depend on which thread comes first.
    """

    def __init__(self) -> None:
        self._numbers = _Numbers()

    def __len__(self) -> int:
        return len(self._numbers)

    def intern(self, tokens: Sequence[str]) -> NDArray[np.int32]:
        """Look up the ids of tokens, and add the tokens that are new.

        Parameters
        ----------
        tokens : sequence of str
            Any tokens; a token may be empty.

        Returns
        -------
        ndarray of int32, shape (len(tokens),)
            The ids.

        Raises
        ------
        UnicodeEncodeError
            If a token contains a lone surrogate, which UTF-8 cannot encode. The tokens before it
            may have been added.
        """
        numbers = self._numbers
        return np.array([numbers[token] for token in tokens], dtype=np.int32)

    def find(self, token: str) -> int:
        """Look up the id of a token without adding it.

        Parameters
        ----------
        token : str
            Any token.

        Returns
        -------
        int
            The id; -1 for a token that is not in the vocabulary.

        Raises
        ------
        UnicodeEncodeError
            If the token contains a lone surrogate.
        """
        _check(token)
        return self._numbers.get(token, -1)

    def tokens(self, ids: NDArray[np.int32]) -> list[str]:
        """Look up the tokens of ids.

        Parameters
        ----------
        ids : ndarray of int32, shape (n,)
            Ids from 0 to ``len(vocabulary) - 1``.

        Returns
        -------
        list of str
            One token per id.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        ids = vector("ids", ids, np.int32)
        wrong = (ids < 0) | (ids >= len(self))
        if wrong.any():
            raise ValueError(f"unknown id {ids[wrong][0]}; the vocabulary has {len(self)} tokens")
        return [self._numbers.tokens[number] for number in ids.tolist()]

    def unmapped(self, ids: NDArray[np.int32], numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Find the ids that have no number yet in a table of numbers, such as those of stems.

        Parameters
        ----------
        ids : ndarray of int32, shape (n,)
            Ids, in any order; they may repeat.
        numbers : ndarray of int32, shape (n_types,)
            The number of every id, or one below zero if it has none.

        Returns
        -------
        ndarray of int32
            The ids without a number that occur, each once, in ascending order.

        Raises
        ------
        ValueError
            If an id has no place among the numbers.
        """
        ids, numbers = vector("ids", ids, np.int32), vector("numbers", numbers, np.int32)
        wrong = (ids < 0) | (ids >= len(numbers))
        if wrong.any():
            raise ValueError(f"unknown id {ids[wrong.argmax()]}; there are {len(numbers)} numbers")
        occurs = np.zeros(len(numbers), np.bool_)
        occurs[ids] = True
        return np.flatnonzero(occurs & (numbers < 0)).astype(np.int32)


class _Numbers(dict[str, int]):
    """Numbers tokens in order of first use, and lists them by number."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: list[str] = []

    def __missing__(self, token: str) -> int:
        _check(token)
        self[token] = number = len(self)
        self.tokens.append(token)
        return number


def _check(token: str) -> None:
    if not isinstance(token, str):
        raise TypeError(f"a token must be a str, got {type(token).__name__}")
    token.encode()  # refuses lone surrogates
