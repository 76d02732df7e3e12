/** A connection string, or the parts of one for the embedded server's socket. Both drivers take either. */
export type Connection =
  | string
  | { host: string; port: number; user: string; password: string; database: string }
