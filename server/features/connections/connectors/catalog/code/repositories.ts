import { itemsAt, textAt } from '../../definition/payload.ts'
import type { RegisteredEndpoint, Registration } from '../../definition/receiver.ts'
import { encodeSegment, type TemplateValue, valueAt } from '../../definition/template.ts'

interface Hooks {
  path: (config: Readonly<Record<string, string>>) => string
  hook: (endpoint: RegisteredEndpoint) => Record<string, TemplateValue>
  /** Fields that only a new hook has. */
  newHookFields?: Record<string, TemplateValue>
  updateMethod: 'PUT' | 'PATCH'
  /** `hooks` names a bare array's items. */
  list: { query: Record<string, number>; items: string; url: string; id: string }
  field: NonNullable<Registration['fields']>[number]
}

/** All share one path, with ids below it. */
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
 * Ends everything an agent posts with a user's account. An event with it is an echo. Without it, the user caused the
 * event.
 */
const MARK = '<!-- atrium -->'

export const withMark = (text: string) => `${text.trimEnd()}\n\n${MARK}`
export const isMarked = (text: string | null) => text?.includes(MARK) ?? false

const TEXT_MAX = 200_000

/** A file with its text, or a folder's entries. */
export function readFileAnswer(answer: unknown): unknown {
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
