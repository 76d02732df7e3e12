import { badField, conflict } from '../../../errors.ts'
import type { ConnectorDefinition, ReceiverDefinition } from '../connectors/connectors.ts'
import { FilterError, parseFilter } from './filter.ts'

const SESSION_NAMES =
  /^(provider|eventKey|thread|externalId|actor\.(id|name)|resource\.(type|id)|replyTo\.\w{1,40})$/
const PLACEHOLDER = /\{([^{}]*)\}/g

export function receiverDefinition({ name, receiver }: ConnectorDefinition): ReceiverDefinition {
  if (!receiver) throw conflict(`${name} sends no events`)
  return receiver
}

export function requireEvents({ events }: ReceiverDefinition, requested: readonly string[]): string[] {
  const unknown = requested.find((key) => !Object.hasOwn(events, key))
  if (unknown !== undefined)
    throw badField(
      'body.events',
      `must be chosen from ${Object.keys(events).join(', ')}; ${unknown} is unknown`,
    )
  return [...new Set(requested)]
}

export function requireFilter(filter: string | null | undefined): string | null {
  const source = filter?.trim()
  if (!source) return null
  try {
    parseFilter(source)
    return source
  } catch (error) {
    if (error instanceof FilterError) throw badField('body.filter', `is not a filter: ${error.message}`)
    throw error
  }
}

export function requireSessionKey(template: string): string {
  for (const [, name] of template.matchAll(PLACEHOLDER)) {
    if (!SESSION_NAMES.test(name!))
      throw badField(
        'body.sessionKey',
        `must not contain {${name}}: it can contain {provider}, {eventKey}, {thread}, {actor.id}, {actor.name}, {resource.type} and {resource.id}`,
      )
  }
  return template
}

type Reply = 'auto' | 'approve' | 'off'

export function requireReply({ reply }: ReceiverDefinition, choice: Reply | undefined, name: string): Reply {
  if (reply) return choice ?? 'approve'
  if (choice !== undefined && choice !== 'off')
    throw badField('body.reply', `must be off: ${name} has no replies`)
  return 'off'
}

export function requireFields(
  { setup }: ReceiverDefinition,
  entered: Readonly<Record<string, string>>,
): Record<string, string> {
  const fields = setup.by === 'api' ? (setup.fields ?? []) : []
  const unknown = Object.keys(entered).find((key) => !fields.some((field) => field.key === key))
  if (unknown !== undefined) throw badField(`body.fields.${unknown}`, 'is not a field of this connector')
  const values = fields.map(({ key, label, hint, required, pattern }) => {
    const value = entered[key]?.trim() ?? ''
    if (required && value === '') throw badField(`body.fields.${key}`, `is required (${label}): ${hint}`)
    if (value !== '' && pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value))
      throw badField(`body.fields.${key}`, `is not valid (${label}): ${hint}`)
    return [key, value] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}
