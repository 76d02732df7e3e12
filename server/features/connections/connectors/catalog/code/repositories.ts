import { itemsAt, textAt } from '../../definition/payload.ts'
import type { RegisteredEndpoint, Registration } from '../../definition/receiver.ts'
import { encodeSegment, type TemplateValue, valueAt } from '../../definition/template.ts'

interface Hooks {
  /** The hooks of the watched repository or group. */
  path: (config: Readonly<Record<string, string>>) => string
  hook: (endpoint: RegisteredEndpoint) => Record<string, TemplateValue>
  /** Fields that only a new hook has. */
  newHookFields?: Record<string, TemplateValue>
  updateMethod: 'PUT' | 'PATCH'
  /** The paths of the listed hooks, and of the URL and the id of each. `hooks` names the items of a bare array. */
  list: { query: Record<string, number>; items: string; url: string; id: string }
  field: NonNullable<Registration['fields']>[number]
}

/** Hooks of a repository, which have one path: all are listed and added there, and each is below it with its id. */
export const repositoryHooks = ({
  path,
  hook,
  newHookFields,
  updateMethod,
  list,
  field,
}: Hooks): Registration => {
  const pathOf = (config: Readonly<Record<string, string>>, hookId: string) =>
    `${path(config)}/${encodeSegment(hookId)}`
  return {
    by: 'api',
    register: (endpoint) => ({
      request: { method: 'POST', path: path(endpoint.config), json: { ...newHookFields, ...hook(endpoint) } },
      keep: (answer) => ({ hookId: textAt(answer, list.id) ?? '' }),
    }),
    update: ({ hookId = '' }, endpoint) => ({
      method: updateMethod,
      path: pathOf(endpoint.config, hookId),
      json: hook(endpoint),
    }),
    find: ({ url, config }) => ({
      request: { method: 'GET', path: path(config), query: list.query },
      keep: (answer) => {
        const hooks = itemsAt(Array.isArray(answer) ? { hooks: answer } : answer, list.items)
        const found = hooks.find((each) => textAt(each, list.url) === url)
        return found === undefined ? null : { hookId: textAt(found, list.id) ?? '' }
      },
    }),
    unregister: ({ hookId = '' }, config) => ({ method: 'DELETE', path: pathOf(config, hookId) }),
    fields: [field],
  }
}

/** The two parts of `owner/name`. */
export const REPOSITORY = '[\\w.-]{1,100}/[\\w.-]{1,100}'

/**
 * An HTML comment, which Markdown does not show, at the end of everything that an agent posts with the account of a
 * person. An event with this comment is an echo; an event of the same account without it was caused by the person.
 */
const MARK = '<!-- atrium -->'

export const withMark = (text: string) => `${text.trimEnd()}\n\n${MARK}`
export const isMarked = (text: string | null) => text?.includes(MARK) ?? false

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
