import FlaskEntities

struct Row: Identifiable { let id: Int }

var rows: Entities<Row> = [Row(id: 1)]
rows.append(Row(id: 2))
print(rows.count == 2 && rows[id: 2] != nil ? "ok" : "\(rows.count)")
