"""Medians, quantiles, counts, histograms."""

from tests.support.parity.kit import Family

cases = Family("tensor_statistics")

cases.calls(
    """
    G(paddle.kthvalue,R(2,3),k=2)
    paddle.kthvalue(T([3,1,2]),1,keepdim=True)
    paddle.kthvalue(T([3,1,2]),5)
    paddle.mode(T([2,2,3,3]))
    paddle.mode(T([[1,2,2],[3,3,1]]),axis=0,keepdim=True)
    paddle.mode(T([3,1,3,2,1,1,3]))
    G(paddle.median,np.array([[1.,2,4],[3,5,1]]),axis=1)
    G(paddle.median,np.array([1.,2,4,3]))
    paddle.median(T([1,2,4,3])), paddle.median(T([1,2,4]))
    paddle.median(T([1.,nan,3.]))
    paddle.median(T([[1.,2,4,3]]),axis=1,mode='min'), paddle.median(T([1.,2,4,3]),mode='min')
    paddle.median(T([[1,2,4,3]]),axis=1,mode='min'), paddle.median(T([1,2,4,3]),mode='min')
    [paddle.nanmedian(T([[1,2],[4,3]],'int32'),a,k,'min') for a in (None,0,[0],(0,1)) for k in (False,True)]
    G(paddle.nanmedian,np.array([[1.,nan,4],[3,5,1]]),axis=1)
    paddle.nanmedian(T([nan,nan]))
    paddle.nanmedian(T([1.,2.,nan,4.,5.]))
    paddle.nanmedian(T([[1.,nan,4],[3,5,1]]),keepdim=True)
    paddle.nanmedian(T([1,2]))
    G(paddle.quantile,R(2,4),q=0.3,axis=1)
    paddle.quantile(T(R(2,3)),[.1,.5])
    paddle.quantile(T(R(2,3)),.5,axis=[0,1],keepdim=True)
    paddle.quantile(T([1.,2.,3.]),.4,interpolation='lower')
    paddle.quantile(T([1.,nan]),.5)
    paddle.nanquantile(T([1.,nan,3.]),.5)
    paddle.quantile(T([1.,2.]),1.5)
    paddle.quantile(T([1,2]),.5)
    [paddle.quantile(T([1.,2.,4.]),.3,interpolation=m) for m in ('linear','lower','higher','midpoint','nearest')]
    G(paddle.nansum,np.array([1.,nan,2])), paddle.nansum(T([[1,2]]),axis=0)
    G(paddle.nanmean,np.array([[1.,nan,2],[nan,nan,nan]]),axis=1)
    paddle.nanmean(T([1,2]))
    paddle.bincount(T([1,2,2,5])), paddle.bincount(T([1,2]),weights=T([.5,1.])), paddle.bincount(T([1]),minlength=4)
    paddle.bincount(T([1,2],'int32'),weights=T([1,2],'int32'))
    paddle.bincount(T([-1]))
    paddle.bincount(T([1.]))
    paddle.histogram(T([1.,2,1]),4,0,3), paddle.histogram(T([1,2,1]),3)
    paddle.histogram(T([1.,2,1]),3,0,0,weight=T([1.,2.,3.]),density=True)
    paddle.histogram(T([1.,2.]),2,density=True)
    paddle.histogram(T([1.]),2,3,1)
    paddle.histogram_bin_edges(T([1.,2,1]),4,0,3)
    paddle.histogram_bin_edges(T([1,2]),2)
    paddle.histogram_bin_edges(T([1.]),2)
    paddle.histogramdd(T([[0.,1.],[1.,0.],[2.,2.]]),bins=[3,3])
    """
)
