// What jakarta.annotation-api brings, as far as generated clients use it.
package javax.annotation;

public @interface Generated {
  String[] value();

  String date() default "";

  String comments() default "";
}
