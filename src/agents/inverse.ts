// The operations that undo others: each body that they change is put back to what it was.

import type { Body } from './find-bodies.ts'

export type Operation = { readonly op: string; readonly id?: string; readonly body?: Body; readonly fields?: object }

interface Change {
  /** Whether more than fields of it are changed: it was put, removed or cleared. */
  isWhole: boolean
  readonly fields: Set<string>
  isThere: boolean
}

/** The id of the body that an operation is about; undefined of one about all. */
export function subjectOf({ id, body }: Operation): string | undefined {
  return id ?? body?.id
}

/** `before`: the bodies that the operations are about, as they were; of those that clear, all bodies. */
export function inverseOf(operations: readonly Operation[], before: ReadonlyMap<string, Body>): Operation[] {
  const changes = new Map<string, Change>()
  const changeOf = (id: string): Change => {
    const change = changes.get(id) ?? { isWhole: false, fields: new Set(), isThere: before.has(id) }
    changes.set(id, change)
    return change
  }
  for (const operation of operations) {
    if (operation.op === 'clear') {
      for (const id of [...before.keys(), ...changes.keys()])
        Object.assign(changeOf(id), { isWhole: true, isThere: false })
      continue
    }
    const change = changeOf(subjectOf(operation) as string)
    const { op, id: _, body: __, fields, ...moved } = operation
    if (op === 'put' || op === 'remove') Object.assign(change, { isWhole: true, isThere: op === 'put' })
    for (const name of Object.keys(fields ?? moved)) change.fields.add(name)
  }
  return [...changes].flatMap(([id, change]) => undone(id, change, before.get(id)))
}

function undone(id: string, { isWhole, fields, isThere }: Change, had: Body | undefined): Operation[] {
  if (had === undefined) return isThere ? [{ op: 'remove', id }] : []
  if (isWhole) return [{ op: 'put', body: had }]
  const old = Object.fromEntries([...fields].map((name) => [name, had[name] ?? null]))
  return [{ op: 'patch', id, fields: old }]
}
