import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { Row, Rows } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { signInMethodsQuery } from '../sign-in/sign-in-queries.ts'
import { type SecurityOverview, useSecurityRefresh } from './security-queries.ts'

type Identity = SecurityOverview['identities'][number]

export function Identities({ identities }: { identities: Identity[] }) {
  const [disconnecting, setDisconnecting] = useState<Identity>()
  const methods = useQuery(signInMethodsQuery)
  const nameOf = ({ provider }: Identity) =>
    methods.data?.items.find(({ id }) => id === provider)?.name ?? provider
  return (
    <>
      <Rows label="Connected accounts">
        {identities.map((identity) => (
          <Row
            key={identity.id}
            icon={<Link2 aria-hidden className="icon text-neutral-11" />}
            title={<span className="font-medium">{nameOf(identity)}</span>}
            note={
              <>
                {identity.email && `${identity.email} · `}connected <Time at={identity.createdAt} />
              </>
            }
          >
            <Button
              size="small"
              look="quiet"
              aria-label={textWithNames`Disconnect ${nameOf(identity)}`}
              onClick={() => setDisconnecting(identity)}
            >
              Disconnect
            </Button>
          </Row>
        ))}
      </Rows>
      {disconnecting && (
        <DisconnectIdentity
          identity={disconnecting}
          name={nameOf(disconnecting)}
          onClose={() => setDisconnecting(undefined)}
        />
      )}
    </>
  )
}

interface DisconnectProps {
  identity: Identity
  name: string
  onClose: () => void
}

function DisconnectIdentity({ identity, name, onClose }: DisconnectProps) {
  const refresh = useSecurityRefresh()
  return (
    <ConfirmDialog
      title={withNames`Disconnect ${name}`}
      phrase={name}
      action="Disconnect account"
      mutate={() => api.security.unlinkIdentity({ id: identity.id })}
      onSuccess={refresh}
      success={withNames`Disconnected ${name}`}
      onClose={onClose}
    >
      <p>
        You won’t be able to sign in with {name}
        {identity.email && t` as ${identity.email}`}. Other sign-in methods stay. Signing in there with your
        verified email reconnects it.
      </p>
    </ConfirmDialog>
  )
}
