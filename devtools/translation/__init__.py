"""The translators' catalogues: what texts the code has (`texts`), the .po and .mo files (`catalogue`), `make messages`."""
