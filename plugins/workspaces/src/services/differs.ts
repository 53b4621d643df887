/** Whether a row has another value in one of these columns. */
export function differs<Row extends object>(row: Row, changes: Partial<Row>): boolean {
  return Object.entries(changes).some(([column, value]) => row[column as keyof Row] !== value); // columns of the row
}
