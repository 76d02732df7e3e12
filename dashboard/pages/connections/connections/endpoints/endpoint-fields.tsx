import {
  ENDPOINT_LIMITS,
  ENDPOINT_REPLIES,
} from '../../../../../contract/connections/connector-endpoint-options.ts'
import { TextField } from '../../../../components/forms/field.tsx'
import { NamedChoice } from '../../../../components/forms/named-choice.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import type { EndpointDraft } from './endpoint-draft.ts'
import type { EndpointFieldsProps } from './endpoint-fields-props.ts'
import { REPLIES } from './endpoint-labels.tsx'
import { FilterField } from './filter-field.tsx'
import { SourceFields } from './source-fields.tsx'

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
        label="Session (optional)"
        hint={
          <>
            Events with the same key share one session. By default{' '}
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

/** The lists contain only the newest items; the current choice may be older. */
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
        {error ?? 'None selected: all events.'}
      </p>
    </fieldset>
  )
}
