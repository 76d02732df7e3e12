import { Link, useNavigate } from '@tanstack/react-router'
import { Phone as PhoneIcon } from 'lucide-react'
import {
  CONNECTOR_CATEGORIES,
  CONNECTOR_CATEGORY_NAMES,
  type ConnectorCategory,
} from '../../../../../contract/connections/connector-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Connection, Connector } from '../../../../api/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { Badge } from '../../../../components/badge.tsx'
import { AVAILABILITIES } from '../../../../components/connectors/connection-labels.tsx'
import { localizeConnectorText } from '../../../../components/connectors/connector-texts.ts'
import { Mark } from '../../../../components/connectors/mark.tsx'
import { Segments } from '../../../../components/layout/segments.tsx'
import { useShowsPhone } from '../../../../frame/shows-phone.ts'
import { ConnectButton } from '../connect/connect-button.tsx'

interface CatalogProps {
  connectors: Connector[]
  connections: Connection[]
  words: string
  category: string | undefined
  /** Slug of the open panel's connector. */
  current: string | undefined
}

export function Catalog({ connectors, connections, words, category, current }: CatalogProps) {
  const navigate = useNavigate()
  const showsPhone = useShowsPhone()
  const matchingConnectors = connectors.filter((each) => matchesSearch(each, words))
  const categories = CONNECTOR_CATEGORY_NAMES.filter((name) =>
    connectors.some((each) => each.category === name),
  )
  const chosenCategory = categories.find((name) => name === category)
  const groups = (chosenCategory ? [chosenCategory] : categories)
    .map((name) => ({ name, items: matchingConnectors.filter((each) => each.category === name) }))
    .filter(({ items }) => items.length > 0)
  return (
    <section aria-labelledby="catalog" className="pb-48">
      <header className="flex flex-col gap-12 px-16 pt-32 pb-8 md:px-24">
        <h2 id="catalog" className="flex items-baseline gap-8 font-strong">
          Apps
          <span className="font-regular text-13 text-neutral-11 tabular-nums">{connectors.length}</span>
        </h2>
        <Segments<ConnectorCategory | 'all'>
          label="Category"
          value={chosenCategory ?? 'all'}
          options={[
            { value: 'all', label: t`All` },
            ...categories.map((name) => ({ value: name, label: CONNECTOR_CATEGORIES[name] })),
          ]}
          onChoose={(next) =>
            void navigate({
              to: '/integrations',
              search: (before) => ({ ...before, category: next === 'all' ? undefined : next }),
              replace: true,
            })
          }
        />
      </header>
      {groups.map(({ name, items }) => (
        <section key={name} aria-label={CONNECTOR_CATEGORIES[name]} className="px-16 pt-16 md:px-24">
          <h3 className="border-neutral-6 border-b pb-4 font-medium text-12 text-neutral-11">
            {CONNECTOR_CATEGORIES[name]}
          </h3>
          <ul className="grid grid-cols-1 gap-x-32 @wide:grid-cols-2 @extra-wide:grid-cols-3">
            {name === 'telephony' && !showsPhone && words.trim() === '' && <PhoneRow />}
            {items.map((connector) => (
              <ConnectorRow
                key={connector.slug}
                connector={connector}
                isCurrent={connector.slug === current}
                connections={connections.filter((each) => each.connectorSlug === connector.slug)}
              />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (
        <p className="px-16 py-16 text-13 text-neutral-11 md:px-24">
          No matches. The HTTP app works with any HTTP API.
        </p>
      )}
    </section>
  )
}

/** Until the organization has a number, the sidebar doesn't list Phone. */
const PhoneRow = () => (
  <li className="relative flex min-h-dialog-footer min-w-0 items-start gap-12 border-neutral-6 border-b py-8 hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover">
    <span
      aria-hidden
      className="inline-flex size-32 shrink-0 items-center justify-center rounded-square bg-hue-6-soft text-hue-6"
    >
      <PhoneIcon className="icon" />
    </span>
    <div className="min-w-0 flex-1">
      <Link
        to="/phone"
        search={{}}
        data-row-link="phone"
        className="row-link truncate font-medium text-13 outline-none"
      >
        Phone
      </Link>
      <p className="line-clamp-2 text-12 text-neutral-11">
        Bring your own number: agents answer its calls and text messages.
      </p>
    </div>
    <span aria-hidden className="flex h-24 items-center px-8 font-medium text-12 text-neutral-11">
      Set up
    </span>
  </li>
)

interface ConnectorRowProps {
  connector: Connector
  connections: Connection[]
  isCurrent: boolean
}

function ConnectorRow({ connector, connections, isCurrent }: ConnectorRowProps) {
  const { slug, name, availability, availabilityReason } = connector
  const description = localizeConnectorText(connector.description)
  const { user } = useSession()
  const isConnected = connections.some(({ owner, status }) => owner.id === user.id && status === 'active')
  const availabilityLabel = AVAILABILITIES[availability]
  return (
    <li
      aria-current={isCurrent || undefined}
      className="relative flex min-h-dialog-footer min-w-0 items-start gap-12 border-neutral-6 border-b py-8 hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover aria-[current=true]:bg-selection-wash"
    >
      <Mark slug={slug} name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-8">
          <Link
            to="/integrations"
            search={(before) => ({ ...before, connector: slug })}
            data-row-link={slug}
            className="row-link truncate font-medium text-13 outline-none"
          >
            {name}
          </Link>
          {availabilityLabel && (
            <span title={availabilityReason && localizeConnectorText(availabilityReason)}>
              <Badge>{availabilityLabel}</Badge>
            </span>
          )}
          {isConnected && <Badge accent>Connected</Badge>}
        </div>
        <p className="line-clamp-2 text-12 text-neutral-11" title={description}>
          {description}
        </p>
      </div>
      <span className="relative">
        <ConnectButton connector={connector} isConnected={isConnected} />
      </span>
    </li>
  )
}

/** Every word must occur in the name, description or a tool. */
function matchesSearch({ name, slug, description, tools }: Connector, search: string): boolean {
  const text = [
    name,
    slug,
    localizeConnectorText(description),
    ...tools.map((tool) => `${tool.name} ${tool.description}`),
  ]
    .join(' ')
    .toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
