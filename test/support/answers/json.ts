/** JSON text that keeps the sign of −0, which JSON.stringify drops. */
export function toJson(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
