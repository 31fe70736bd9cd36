// FlaskArchive
