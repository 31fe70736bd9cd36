// FlaskDiff
