import { stableFence } from '../../../../language-models/fence.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'

const VERBS = {
  created: 'arrived',
  edited: 'changed an earlier message',
  deleted: 'deleted an earlier message',
}

interface Source {
  connector: string
  endpoint: string
}

/**
 * The message of an event, as the model receives it. Everything that people outside wrote is data, also their names: a
 * request in it is not a request of a member.
 */
export function messageOf({ connector, endpoint }: Source, event: NormalizedEvent) {
  const { actor, resource, text, change } = event
  const lines = [
    actor.name || actor.id ? `From: ${actor.name ?? actor.id}` : '',
    resource ? `About: ${resource.type} ${resource.id}${resource.url ? ` (${resource.url})` : ''}` : '',
    text === null ? '' : `\n${text}`,
  ].filter(Boolean)
  const data = stableFence(lines.join('\n').trim() || 'Nothing else is known.', `${connector} (outside)`)
  const intro = `An event of ${connector} (${event.eventKey}) ${VERBS[change]}, through the endpoint ${JSON.stringify(endpoint)}.`
  return { content: [{ type: 'text', text: `${intro}\n\n${data}` }], body: bodyOf(event) }
}

/** The words of the message for lists and search. */
function bodyOf({ text, eventKey, change }: NormalizedEvent): string {
  if (change === 'deleted') return '[The sender deleted an earlier message]'
  const words = text?.trim() || eventKey
  return change === 'edited' ? `[The sender changed an earlier message] ${words}` : words
}
