import type { ConnectorEndpoint } from '../../../../api/connections/connector-endpoints.ts'

/** The settings of an endpoint in the form. */
export interface EndpointDraft {
  name: string
  agentId: string
  projectId: string
  events: string[]
  sessionKey: string
  reply: ConnectorEndpoint['reply']
  filter: string
  fields: Record<string, string>
  secret: string
}

export const draftOf = (endpoint: ConnectorEndpoint | undefined, hasReplies: boolean): EndpointDraft => ({
  name: endpoint?.name ?? '',
  agentId: endpoint?.agentId ?? '',
  projectId: endpoint?.projectId ?? '',
  events: endpoint?.events ?? [],
  sessionKey: endpoint?.sessionKey ?? '',
  reply: endpoint?.reply ?? (hasReplies ? 'approve' : 'off'),
  filter: endpoint?.filter ?? '',
  fields: endpoint?.fields ?? {},
  secret: '',
})

/** The settings as the API takes them; an empty field keeps its default. */
export function settingsOf(draft: EndpointDraft, target: { agentId: string; projectId: string }) {
  const { name, sessionKey, filter, secret, events, reply, fields } = draft
  return {
    ...target,
    events,
    reply,
    fields,
    filter: filter.trim(),
    name: name.trim() || undefined,
    sessionKey: sessionKey.trim() || undefined,
    secret: secret.trim() || undefined,
  }
}
