import { median } from '../compare.ts'

/** After the fifth run of a statement, PostgreSQL may switch to a generic plan. */
const WARM_UP = 8
const ROUNDS = 60

/** The median times of an operation for three tenants, measured in turn, so that other load affects all of them. */
export async function interleave<T>(
  tenants: readonly [T, T, T],
  run: (tenant: T) => Promise<number>,
): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []]
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [index, tenant] of tenants.entries()) {
      const time = await run(tenant)
      if (round >= 0) times[index]!.push(time)
    }
  return [median(times[0]), median(times[1]), median(times[2])]
}
