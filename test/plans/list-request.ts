type Caller = 'owner' | 'member' | 'smallMember' | 'operator'

export interface ListRequest {
  /** The endpoint's name in the contract. */
  name: string
  path: string
  by?: Caller
}

/** Searches and tags: common, rare, without a match, and short. */
export const WORDS = ['search=photo', 'search=zebra', 'search=giraffe', 'search=p', 'tag=rare', 'tag=none']

/** One request for each query. */
export const list = (
  name: string,
  base: string,
  queries: string[],
  options: Omit<ListRequest, 'name' | 'path'> = {},
) => queries.map((query): ListRequest => ({ name, path: `${base}${query ? `?${query}` : ''}`, ...options }))

/** Repeats the requests for each kind of member. */
export const byEach = (make: (by: Caller) => ListRequest[]) =>
  (['owner', 'member', 'smallMember'] as const).flatMap(make)
