import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { useSession } from '../../api/session.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { localStore } from '../../state/store.ts'
import { exampleRequest } from '../accounts/api-keys/example-request.ts'
import type { Home } from './home-query.ts'
import { CARD } from './section.tsx'

/** Until the first API request, or dismissed in this browser. */
export function DeveloperCard({ home: { firstSteps } }: { home: Home }) {
  const { user } = useSession()
  const storeKey = `atrium.home.developers.${user.id}`
  const [isDismissed, setDismissed] = useState(() => localStore.read(storeKey) !== null)
  if (isDismissed || firstSteps.hidden || firstSteps.call) return null
  return (
    <section aria-labelledby="developers" className={`${CARD} flex flex-col gap-8 px-16 py-12`}>
      <div className="flex items-center gap-8">
        <h2 id="developers" className="font-strong tracking-heading">
          For developers
        </h2>
        <Button
          look="quiet"
          size="small-icon"
          aria-label={t`Hide “For developers”`}
          className="ml-auto"
          onClick={() => {
            localStore.write(storeKey, 'hidden')
            setDismissed(true)
          }}
        >
          <X aria-hidden className="icon" />
        </Button>
      </div>
      <p className="text-13 text-neutral-11">
        Everything you see here is in the API, for scripts and for other agents.
      </p>
      {firstSteps.key ? (
        <Code command what="example request">
          {exampleRequest('$ATRIUM_API_KEY')}
        </Code>
      ) : (
        <p className="flex flex-wrap gap-8">
          <Link to="/settings/api-keys/new" className={buttonClass()}>
            Create an API key
          </Link>
          <a href="/docs" className={buttonClass('quiet')}>
            API reference
          </a>
        </p>
      )}
    </section>
  )
}
