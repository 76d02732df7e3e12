import { buttonClass } from '../../../components/button.tsx'
import { Name } from '../../../components/name.tsx'
import type { RequestingApp } from './requesting-app.ts'

/** A link back to the app. The server has checked its URL: https, a loopback host, or the scheme of an app. */
export function ReturnLink({ to, app }: { to: string; app: RequestingApp }) {
  return (
    <a href={to} rel="noreferrer" className={`${buttonClass()} max-w-full self-start`}>
      <span className="truncate">
        Return to <Name>{app.local ? app.name : app.returnsTo}</Name>
      </span>
    </a>
  )
}
