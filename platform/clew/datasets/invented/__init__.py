"""What invented conversations are made of: names, wordings, stories and small talk."""
