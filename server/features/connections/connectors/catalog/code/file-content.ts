import { valueAt } from '../../requests/template.ts'

const TEXT_MAX = 200_000

/** A file as GitHub and GitLab return it, with its text; or the entries of a folder. */
export function fileOf(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(({ name, path, type, size }) => ({ name, path, type, size }))
  const content = valueAt(answer, 'content')
  const path = valueAt(answer, 'path') ?? valueAt(answer, 'file_path')
  const size = valueAt(answer, 'size')
  if (typeof content !== 'string' || valueAt(answer, 'encoding') !== 'base64') {
    return { path, size, text: null, problem: 'The path is not a file, or the file is too large' }
  }
  const bytes = Buffer.from(content, 'base64')
  if (bytes.includes(0)) return { path, size, text: null, problem: 'The file is not text' }
  const text = bytes.toString('utf8')
  return { path, size, text: text.slice(0, TEXT_MAX), ...(text.length > TEXT_MAX && { isTruncated: true }) }
}
