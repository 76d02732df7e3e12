import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../../../api/session.ts'
import { Name } from '../../../components/name.tsx'
import type { RequestingApp } from './requesting-app.ts'

/** An app chooses its own name, so its hosts are shown as well. */
export function AppFacts({ app }: { app: RequestingApp }) {
  const { user, organization, organizations } = useSession()
  const warning = warningOf(app)
  return (
    <>
      <dl className="border-neutral-6 border-t text-13">
        <Fact name="App">
          <strong className="font-strong">
            <Name>{app.name}</Name>
          </strong>
        </Fact>
        <Fact name={app.identified ? 'Published by' : 'From'}>
          {app.local && !app.identified && <span className="block">A program on this computer</span>}
          <Host>{app.host}</Host>
        </Fact>
        {app.returnsTo !== app.host && (
          <Fact name="Returns to">
            <Host>{app.returnsTo}</Host>
          </Fact>
        )}
        <Fact name="Account">
          <Name>{user.name}</Name> (<Name>{user.email}</Name>)
        </Fact>
        {organizations.length < 2 && (
          <Fact name="Organization">
            <Name>{organization.name}</Name>
          </Fact>
        )}
      </dl>
      {warning && (
        <p className="flex gap-8 rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          <TriangleAlert aria-hidden className="icon mt-4 shrink-0" />
          {warning}
        </p>
      )}
    </>
  )
}

function warningOf({ identified, local, host, returnsTo }: RequestingApp): string | null {
  if (local) {
    return 'A program on this computer gets the access, and any program can use this name. Connect it only if you just started the connection in an app that you trust.'
  }
  if (!identified)
    return 'The app chose its name, and no one has checked it. Connect it only if you know its host.'
  return host === returnsTo ? null : 'The app returns to a host other than the one that published it.'
}

/** Always left to right and never truncated: the end of a host name identifies its owner. */
function Host({ children }: { children: string }) {
  return (
    <code dir="ltr" className="break-all font-mono text-12">
      {children}
    </code>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-3 gap-12 border-neutral-6 border-b py-8">
      <dt className="text-neutral-11">{name}</dt>
      <dd className="wrap-anywhere col-span-2 min-w-0">{children}</dd>
    </div>
  )
}
