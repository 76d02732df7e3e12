import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { webSearchQuery } from '../../../api/web-search.ts'

/** Shows only while no provider is set. */
export function WebSearchNote() {
  const search = useQuery(webSearchQuery).data
  const { role } = useSession()
  if (!search || search.provider) return null
  return (
    <p className="text-13 text-warning-text">
      Web search isn’t set up: the agent can read web pages, but not find them.{' '}
      {role === 'member' ? (
        t`Ask an organization admin to choose a provider.`
      ) : (
        <Link to="/settings/organization/web-search" className="underline">
          Choose a provider
        </Link>
      )}
    </p>
  )
}
