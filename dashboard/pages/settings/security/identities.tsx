import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { Time } from '../../../components/time.tsx'
import { waysQuery } from '../../sign-in/sign-in-queries.ts'
import { Row, Rows } from '../section.tsx'
import type { SecurityOverview } from './security-queries.ts'

export function Identities({ identities }: { identities: SecurityOverview['identities'] }) {
  const ways = useQuery(waysQuery)
  const nameOf = (provider: string) => ways.data?.items.find(({ id }) => id === provider)?.name ?? provider
  return (
    <Rows label="Linked accounts">
      {identities.map(({ provider, email, createdAt }) => (
        <Row
          key={provider + email}
          icon={<Link2 aria-hidden className="icon text-neutral-11" />}
          title={<span className="font-medium">{nameOf(provider)}</span>}
          note={
            <>
              {email && `${email} · `}linked <Time at={createdAt} />
            </>
          }
        />
      ))}
    </Rows>
  )
}
