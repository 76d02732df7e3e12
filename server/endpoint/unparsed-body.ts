/** A file that is open while it is read. Any thread of the process can read it. */
export interface BodyFile {
  fd: number
  bytes: number
}

/** A JSON body that is too large to hold in memory, and to parse in the thread that serves requests. */
export class UnparsedBody {
  /** Passes the body to a reader once, and discards it afterwards. */
  readonly read: <T>(reader: (file: BodyFile) => Promise<T>) => Promise<T>

  constructor(read: UnparsedBody['read']) {
    this.read = read
  }
}
