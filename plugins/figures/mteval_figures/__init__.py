"""Reports of mteval for papers: charts, LaTeX and BibTeX."""
