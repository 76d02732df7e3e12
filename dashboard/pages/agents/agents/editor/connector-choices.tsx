import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import {
  type Connection,
  type Connector,
  connectionsQuery,
  connectorsQuery,
} from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { accountName } from '../../../../components/connectors/connection-labels.tsx'
import { Mark } from '../../../../components/connectors/mark.tsx'
import { CONTROL } from '../../../../components/forms/field.tsx'
import type { FieldsProps } from './draft.ts'

/** Hides further connectors that are neither chosen nor connected. */
const SHOWN_MAX = 6

export function ConnectorChoices({ draft, update }: FieldsProps) {
  const connectors = useQuery(connectorsQuery).data?.items
  const connections = useQuery(connectionsQuery).data?.items ?? []
  const [words, setWords] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const { allowedConnectors } = draft
  if (!connectors) return null
  const toggle = (slug: string, on: boolean) =>
    update({
      allowedConnectors: on
        ? [...allowedConnectors, slug]
        : allowedConnectors.filter((other) => other !== slug),
    })
  const unknownSlugs = allowedConnectors.filter((slug) => !connectors.some((each) => each.slug === slug))
  const usableConnections = (slug: string) =>
    connections.filter(
      (each) => each.connectorSlug === slug && each.status !== 'pending' && each.status !== 'failed',
    )
  const isListedFirst = ({ slug }: Connector) =>
    allowedConnectors.includes(slug) || usableConnections(slug).length > 0
  const query = words.trim().toLowerCase()
  const sorted = connectors.toSorted((a, b) => Number(isListedFirst(b)) - Number(isListedFirst(a)))
  const shownConnectors = query
    ? sorted.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(query))
    : sorted.filter((each, index) => showsAll || isListedFirst(each) || index < SHOWN_MAX)
  return (
    <div className="flex flex-col gap-12">
      {unknownSlugs.length > 0 && (
        <p className="flex flex-wrap items-center gap-8 text-13 text-warning-text">
          App {unknownSlugs.join(', ')} doesn’t exist.
          <Button
            size="small"
            onClick={() =>
              update({ allowedConnectors: allowedConnectors.filter((slug) => !unknownSlugs.includes(slug)) })
            }
          >
            Remove
          </Button>
        </p>
      )}
      <input
        type="search"
        aria-label="Search apps"
        placeholder="Search apps"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          // Enter would save the agent.
          if (event.key === 'Enter') event.preventDefault()
        }}
        className={`h-32 max-w-filter ${CONTROL}`}
      />
      <ul aria-label="Apps" className="border-neutral-6 border-t">
        {shownConnectors.map((connector) => (
          <Choice
            key={connector.slug}
            connector={connector}
            connections={usableConnections(connector.slug)}
            checked={allowedConnectors.includes(connector.slug)}
            onToggle={(on) => toggle(connector.slug, on)}
          />
        ))}
      </ul>
      {!query && shownConnectors.length < sorted.length && (
        <Button look="quiet" size="small" className="self-start" onClick={() => setShowsAll(true)}>
          Show all {sorted.length}
        </Button>
      )}
      {shownConnectors.length === 0 && <p className="text-13 text-neutral-11">No matching app.</p>}
    </div>
  )
}

interface ChoiceProps {
  connector: Connector
  connections: Connection[]
  checked: boolean
  onToggle: (on: boolean) => void
}

function Choice({ connector, connections, checked, onToggle }: ChoiceProps) {
  const { slug, name, tools } = connector
  const accounts = connections.map((each) => accountName(each) ?? each.connector.name)
  const count = tools.length === 1 ? t`1 tool` : t`${tools.length} tools`
  return (
    <li className="flex items-center gap-12 border-neutral-6 border-b py-8">
      <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-12">
        <input
          type="checkbox"
          aria-label={name}
          checked={checked}
          onChange={(event) => onToggle(event.target.checked)}
          className="icon"
        />
        <Mark slug={slug} name={name} size="small" />
        <span className="min-w-0">
          <span className="block font-medium text-13">{name}</span>
          <span className="block truncate text-12 text-neutral-11">
            {[count, ...(accounts.length > 0 ? [t`connected as ${accounts.join(', ')}`] : [])].join(' · ')}
          </span>
        </span>
      </label>
      {checked && accounts.length === 0 && (
        <Link
          to="/integrations"
          search={{ connector: slug }}
          className="shrink-0 text-12 text-selection-text hover:underline"
        >
          Connect {name}
        </Link>
      )}
    </li>
  )
}
