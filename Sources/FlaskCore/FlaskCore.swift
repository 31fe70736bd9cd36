// FlaskCore
