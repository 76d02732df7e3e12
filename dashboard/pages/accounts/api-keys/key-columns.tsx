import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { Button } from '../../../components/button.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { RowToggle } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import type { ApiKey } from './api-keys-queries.ts'
import { Expiry, isExpired, KeyCalls, LastUse, Scopes } from './key-details.tsx'

const SOON_MS = 7 * 86_400_000

interface RowActions {
  opened: string | undefined
  setOpened: (id: string | undefined) => void
  onEditScopes: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

export const keyColumns = ({ opened, setOpened, onEditScopes, onRevoke }: RowActions): Column<ApiKey>[] => [
  {
    header: t`Name`,
    wide: true,
    cell: (key) => (
      <RowToggle
        id={key.id}
        opened={key.id === opened}
        onToggle={() => setOpened(key.id === opened ? undefined : key.id)}
      >
        <KeyName apiKey={key} />
      </RowToggle>
    ),
  },
  {
    header: t`Key`,
    visibleFrom: 'wide',
    cell: (key) => (
      <code className="whitespace-nowrap font-mono text-12 text-neutral-11">
        {key.prefix}…{key.lastFour}
      </code>
    ),
  },
  { header: t`Scopes`, visibleFrom: 'extra-wide', cell: (key) => <Scopes apiKey={key} /> },
  { header: t`Calls, 14 days`, visibleFrom: 'medium', right: true, cell: (key) => <KeyCalls apiKey={key} /> },
  {
    header: t`Last used`,
    visibleFrom: 'medium',
    right: true,
    cell: ({ lastUsedAt, lastUsedAddress }) => (
      <span className="text-neutral-11">
        {lastUsedAt ? <Time at={lastUsedAt} /> : t`Never`}
        {lastUsedAddress && (
          <span className="block max-w-filter truncate font-mono text-12">{lastUsedAddress}</span>
        )}
      </span>
    ),
  },
  { header: t`Expires`, visibleFrom: 'wide', right: true, cell: (key) => <ExpiryCell apiKey={key} /> },
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (key) => (
      <span className="relative inline-flex gap-4">
        <Button
          size="small"
          look="quiet"
          aria-label={textWithNames`Edit scopes for ${key.name}`}
          onClick={() => onEditScopes(key)}
        >
          Scopes
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-label={textWithNames`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      </span>
    ),
  },
]

function ExpiryCell({ apiKey: { expiresAt } }: { apiKey: ApiKey }) {
  if (!expiresAt) return <span className="text-neutral-11">Never</span>
  if (isExpired(expiresAt)) return <Status meaning="bad">Expired</Status>
  return (
    <span className={isSoon(expiresAt) ? 'text-warning-text' : 'text-neutral-11'}>
      <Time at={expiresAt} isExpected />
    </span>
  )
}

const isSoon = (expiresAt: string) => Date.parse(expiresAt) - Date.now() < SOON_MS

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className="min-w-0">
      <span className="block truncate font-medium">
        <Name>{apiKey.name}</Name>
      </span>
      <span className="line-clamp-2 break-words text-12 text-neutral-11 @extra-wide:hidden">
        {[...(apiKey.readOnly ? [t`Read only`] : []), ...apiKey.scopes].join(', ') || t`No scopes`}
      </span>
      <span className="block text-12 text-neutral-11 @wide:hidden">
        <code className="font-mono">…{apiKey.lastFour}</code>
        {apiKey.expiresAt && (
          <>
            {' '}
            · <Expiry apiKey={apiKey} />
          </>
        )}
        <span className="@medium:hidden">
          {' '}
          · <LastUse apiKey={apiKey} />
        </span>
      </span>
    </span>
  )
}
