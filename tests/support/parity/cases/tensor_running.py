"""Running extrema, differences, areas."""

from tests.support.parity.kit import ATTRIBUTE, Family, api, data

cases = Family("tensor_running")

cases.calls(
    """
    G(paddle.cummax,np.array([[1.,3,2],[3,3,1]]),axis=1)
    paddle.cummax(T([1,3,2]))
    paddle.cummax(T([[1.,nan,2]]),axis=1,dtype='int32')
    G(paddle.cummin,np.array([[1.,3,2],[3,3,1]]),axis=0)
    paddle.cummax(T([1.]),axis=3)
    G(paddle.logcumsumexp,R(2,3),axis=1)
    paddle.logcumsumexp(T([[1.,2.],[3.,4.]]))
    paddle.logcumsumexp(T([1,2]))
    paddle.diff(T([1,4,9]),n=2)
    paddle.diff(T([[1,4],[2,3]]),axis=0), paddle.diff(T([1,2]),prepend=T([0]),append=T([5,6]))
    paddle.diff(T([True,False]))
    G(paddle.trapezoid,R(2,3))
    paddle.trapezoid(T([1.,2.]),T([0.,3.]))
    paddle.trapezoid(T([1.,2,3]),dx=2.)
    paddle.cumulative_trapezoid(T([1.,2,3]))
    paddle.trapezoid(T([1,2]))
    G(lambda a,b: paddle.trapezoid(a,b),R(3),R(3,seed=2))
    """
)
cases.gradients("renorm", api("renorm", p=1.0, axis=1, max_norm=1.0), data(2, 2, 2), tolerance=ATTRIBUTE)
