import { ApiError } from '../../../../errors.ts'

const LISTED_MAX = 100

export interface ImportError {
  line: number
  column: string | null
  message: string
}

export type ImportErrors = ReturnType<typeof createErrors>

/** Lists the first ones and counts the others. */
export function createErrors() {
  const list: ImportError[] = []
  let count = 0
  return {
    list,
    get count() {
      return count
    },
    add(error: ImportError): void {
      count++
      if (list.length < LISTED_MAX) list.push(error)
    },
    asApiError(): ApiError {
      const [first] = list
      const more = count > 1 ? ` (and ${(count - 1).toLocaleString('en-US')} more problems)` : ''
      return new ApiError('BAD_REQUEST', `${pathOf(first!)} ${first!.message}${more}`, {
        details: list.map((error) => ({ path: pathOf(error), message: error.message })),
      })
    },
  }
}

const pathOf = ({ line, column }: ImportError) =>
  column === null ? `line ${line}` : `line ${line}, ${column}`
