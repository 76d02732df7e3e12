/** A connection string, or its parts for the socket of the embedded server. Both drivers accept either. */
export type Connection =
  | string
  | { host: string; port: number; user: string; password: string; database: string }
