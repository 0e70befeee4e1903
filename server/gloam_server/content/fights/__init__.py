"""The hearing of creatures. Data only; imports only the small types of campaigns."""
