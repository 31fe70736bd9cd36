// FlaskRefs
