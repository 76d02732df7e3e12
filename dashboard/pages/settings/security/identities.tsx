import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { signInMethodsQuery } from '../../sign-in/sign-in-queries.ts'
import { Row, Rows } from '../section.tsx'
import type { SecurityOverview } from './security-queries.ts'
import { useSecurityRefresh } from './use-security-mutation.ts'

type Identity = SecurityOverview['identities'][number]

export function Identities({ identities }: { identities: Identity[] }) {
  const [unlinking, setUnlinking] = useState<Identity>()
  const ways = useQuery(signInMethodsQuery)
  const nameOf = ({ provider }: Identity) =>
    ways.data?.items.find(({ id }) => id === provider)?.name ?? provider
  return (
    <>
      <Rows label="Linked accounts">
        {identities.map((identity) => (
          <Row
            key={identity.id}
            icon={<Link2 aria-hidden className="icon text-neutral-11" />}
            title={<span className="font-medium">{nameOf(identity)}</span>}
            note={
              <>
                {identity.email && `${identity.email} · `}linked <Time at={identity.createdAt} />
              </>
            }
          >
            <Button
              size="small"
              look="quiet"
              aria-label={`Unlink ${nameOf(identity)}`}
              onClick={() => setUnlinking(identity)}
            >
              Unlink
            </Button>
          </Row>
        ))}
      </Rows>
      {unlinking && (
        <UnlinkIdentity
          identity={unlinking}
          name={nameOf(unlinking)}
          onClose={() => setUnlinking(undefined)}
        />
      )}
    </>
  )
}

interface UnlinkProps {
  identity: Identity
  name: string
  onClose: () => void
}

function UnlinkIdentity({ identity, name, onClose }: UnlinkProps) {
  const refresh = useSecurityRefresh()
  return (
    <ConfirmTyped
      title={`Unlink ${name}`}
      word={name}
      action="Unlink account"
      onConfirm={async () => {
        await api.security.unlinkIdentity({ id: identity.id })
        refresh()
        toast(`Unlinked ${name}`)
      }}
      onClose={onClose}
    >
      <p>
        You come in through {name}
        {identity.email && ` as ${identity.email}`} no longer; your other ways to sign in stay. Signing in
        there with your verified address links it again.
      </p>
    </ConfirmTyped>
  )
}
