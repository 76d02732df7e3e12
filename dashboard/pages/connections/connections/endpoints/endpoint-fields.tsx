import {
  ENDPOINT_LIMITS,
  ENDPOINT_REPLIES,
} from '../../../../../contract/connections/connector-endpoint-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Connector, ConnectorEndpoint } from '../../../../api/connections.ts'
import { ConnectorFields } from '../../../../components/connectors/connector-fields.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { NamedChoice } from '../../../../components/forms/named-choice.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { REPLIES } from './endpoint-labels.tsx'
import { FilterField } from './filter-field.tsx'

export function EndpointFields(props: EndpointFieldsProps) {
  const { connector, endpoint, draft, update, agents, projects, errorOf } = props
  return (
    <>
      <Select
        label="Agent"
        required
        value={draft.agentId}
        error={errorOf('agentId')}
        onChange={(event) => update({ agentId: event.target.value })}
      >
        <Options items={agents} current={endpoint && { id: endpoint.agentId, name: endpoint.agentName }} />
      </Select>
      <Select
        label="Project"
        required
        value={draft.projectId}
        error={errorOf('projectId')}
        onChange={(event) => update({ projectId: event.target.value })}
      >
        <Options
          items={projects}
          current={endpoint && { id: endpoint.projectId, name: endpoint.projectName }}
        />
      </Select>
      <SourceFields {...props} />
      <EventChoices {...props} />
      {connector.receives?.replies && (
        <Select
          label="Replies"
          value={draft.reply}
          hint={REPLIES[draft.reply].description}
          error={errorOf('reply')}
          onChange={(event) => update({ reply: event.target.value as EndpointDraft['reply'] })}
        >
          {ENDPOINT_REPLIES.map((reply) => (
            <option key={reply} value={reply}>
              {REPLIES[reply].label}
            </option>
          ))}
        </Select>
      )}
      <FilterField
        endpointId={endpoint?.id}
        value={draft.filter}
        error={errorOf('filter')}
        onChange={(filter) => update({ filter })}
      />
      <TextField
        label="Conversation (optional)"
        hint={
          <>
            Events with the same key share a conversation. Default:{' '}
            <code className="font-mono">{connector.receives?.sessionKey}</code>.
          </>
        }
        limit={ENDPOINT_LIMITS.sessionKey}
        autoComplete="off"
        spellCheck={false}
        value={draft.sessionKey}
        error={errorOf('sessionKey')}
        onChange={(event) => update({ sessionKey: event.target.value })}
      />
      <TextField
        label="Name (optional)"
        limit={ENDPOINT_LIMITS.name}
        autoComplete="off"
        placeholder={connector.name}
        value={draft.name}
        error={errorOf('name')}
        onChange={(event) => update({ name: event.target.value })}
      />
    </>
  )
}

interface Choice {
  id: string
  name: string
}

/** The lists hold only the newest items; the current choice may be older. */
const Options = ({ items, current }: { items: readonly Choice[]; current: Choice | undefined }) =>
  [...(current && !items.some(({ id }) => id === current.id) ? [current] : []), ...items].map(
    ({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ),
  )

function EventChoices({ connector, draft, update, errorOf }: EndpointFieldsProps) {
  const events = connector.receives?.events ?? []
  if (events.length < 2) return null
  const toggle = (event: string, on: boolean) =>
    update({ events: on ? [...draft.events, event] : draft.events.filter((other) => other !== event) })
  const error = errorOf('events')
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-4 font-medium text-13">Events</legend>
      {events.map(({ key, description }) => (
        <NamedChoice
          key={key}
          name={key}
          description={description}
          checked={draft.events.includes(key)}
          included={false}
          onToggle={(on) => toggle(key, on)}
          className="rounded-control px-8 py-4"
        />
      ))}
      <p className={`text-12 ${error ? 'text-bad-text' : 'text-neutral-11'}`}>
        {error ?? t`None selected: all events.`}
      </p>
    </fieldset>
  )
}

function SourceFields({ connector, endpoint, draft, update, errorOf }: EndpointFieldsProps) {
  const { receives } = connector
  if (!receives) return null
  const { fields, secret } = receives
  return (
    <>
      <ConnectorFields
        fields={fields}
        values={draft.fields}
        onChange={(values) => update({ fields: values })}
        errorOf={(key) => errorOf(`fields.${key}`)}
      />
      {secret && (
        <PasswordField
          label={secret.label}
          hint={endpoint ? t`${secret.hint} Leave empty to keep the current one.` : secret.hint}
          required={!endpoint}
          limit={ENDPOINT_LIMITS.field}
          autoComplete="off"
          value={draft.secret}
          error={errorOf('secret')}
          onChange={(event) => update({ secret: event.target.value })}
        />
      )}
    </>
  )
}

interface EndpointFieldsProps {
  connector: Connector
  endpoint: ConnectorEndpoint | undefined
  draft: EndpointDraft
  update: (change: Partial<EndpointDraft>) => void
  agents: readonly { id: string; name: string }[]
  projects: readonly { id: string; name: string }[]
  errorOf: (field: string) => string | undefined
}

interface EndpointDraft {
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

export const toDraft = (endpoint: ConnectorEndpoint | undefined, hasReplies: boolean): EndpointDraft => ({
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

/** In the API's format. Empty fields keep their default. */
export function toSettings(draft: EndpointDraft, target: { agentId: string; projectId: string }) {
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
